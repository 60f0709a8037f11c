package dev.tenure.persistence.proof;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tenure.workflow.WorkflowId;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * A checkpoint in a file: a line that says what it is, one for each head in the order of the store,
 * and the signed root. It is written and read line by line.
 */
public final class Checkpoint {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int BUFFER_BYTES = 64 * 1024;

  private Checkpoint() {}

  /** Gives the heads in the order of the store; empty at the end. */
  @FunctionalInterface
  public interface Source {
    Optional<CheckpointHead> next();
  }

  /**
   * Writes all heads and signs them. The file is there when this method returns, or is as before.
   */
  public static SignedRoot write(Path file, Source heads, CheckpointKey key, Instant now) {
    Path beside = file.resolveSibling(file.getFileName() + ".part");
    try {
      SignedRoot signed;
      try (Writer out =
          new BufferedWriter(
              new OutputStreamWriter(
                  new GZIPOutputStream(Files.newOutputStream(beside), BUFFER_BYTES),
                  StandardCharsets.UTF_8))) {
        signed = write(out, heads, key, now.toString());
      }
      Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      return signed;
    } catch (IOException e) {
      throw new ProofError("%s cannot be written: %s".formatted(file, e), e);
    }
  }

  private static SignedRoot write(Writer out, Source heads, CheckpointKey key, String now)
      throws IOException {
    line(out, JSON.createObjectNode().put("format", SignedRoot.FORMAT));
    MerkleTree.Root root = new MerkleTree.Root();
    for (var head = heads.next(); head.isPresent(); head = heads.next()) {
      root.add(head.get().leaf());
      line(out, head.get().put(JSON.createObjectNode()));
    }
    SignedRoot signed = SignedRoot.of(now, root.leaves(), root.root(), key);
    line(out, signed.put(JSON.createObjectNode()));
    return signed;
  }

  private static void line(Writer out, ObjectNode node) throws IOException {
    out.append(JSON.writeValueAsString(node)).append('\n');
  }

  /** Reads all of it, and throws unless the root is that of its heads and the signature fits. */
  public static SignedRoot verify(Path file) {
    MerkleTree.Root root = new MerkleTree.Root();
    try (Reader reader = new Reader(file)) {
      for (var head = reader.next(); head.isPresent(); head = reader.next())
        root.add(head.get().leaf());
      SignedRoot signed = reader.signed();
      if (signed.heads() != root.leaves() || !Arrays.equals(signed.root(), root.root()))
        throw new ProofError("%s: the root is not that of its heads".formatted(file));
      signed.requireSigned();
      return signed;
    }
  }

  /** Proves that the head of that workflow is in it. */
  public static InclusionProof prove(Path file, WorkflowId id) {
    SignedRoot signed = verify(file);
    long index = -1;
    CheckpointHead found = null;
    try (Reader reader = new Reader(file)) {
      long at = 0;
      for (var head = reader.next(); head.isPresent(); head = reader.next(), at++)
        if (head.get().id().equals(id)) {
          found = head.get();
          index = at;
        }
    }
    if (found == null) throw new ProofError("%s has no workflow \"%s\"".formatted(file, id));
    try (Reader reader = new Reader(file)) {
      return new InclusionProof(
          signed,
          found,
          index,
          MerkleTree.path(index, signed.heads(), () -> reader.next().orElseThrow().leaf()));
    }
  }

  /** Reads the heads one by one. */
  public static final class Reader implements Source, AutoCloseable {
    private final Path file;
    private final BufferedReader lines;

    /** The last line, once it was read; null before. */
    private JsonNode end;

    public Reader(Path file) {
      this.file = file;
      try {
        lines =
            new BufferedReader(
                new InputStreamReader(
                    new GZIPInputStream(Files.newInputStream(file), BUFFER_BYTES),
                    StandardCharsets.UTF_8));
        String first = lines.readLine();
        if (first == null || !parse(first).path("format").asText().equals(SignedRoot.FORMAT))
          throw damaged(
              "its first line does not say \"format\":\"%s\"".formatted(SignedRoot.FORMAT));
      } catch (IOException e) {
        throw new ProofError("%s is no checkpoint: %s".formatted(file, e), e);
      }
    }

    @Override
    public Optional<CheckpointHead> next() {
      if (end != null) return Optional.empty();
      JsonNode node = readLine().orElseThrow(() -> damaged("it is cut short"));
      if (node.has("id")) return Optional.of(CheckpointHead.read(node));
      end = node;
      if (readLine().isPresent()) throw damaged("it goes on behind its end");
      return Optional.empty();
    }

    /** What stands behind the last head. */
    SignedRoot signed() {
      return SignedRoot.read(end);
    }

    private Optional<JsonNode> readLine() {
      try {
        String line = lines.readLine();
        return line == null ? Optional.empty() : Optional.of(parse(line));
      } catch (IOException e) {
        throw damaged(e.toString());
      }
    }

    private JsonNode parse(String line) {
      try {
        return JSON.readTree(line);
      } catch (JsonProcessingException e) {
        throw damaged("a line is no JSON");
      }
    }

    private ProofError damaged(String why) {
      return new ProofError("%s is no checkpoint: %s".formatted(file, why));
    }

    @Override
    public void close() {
      try {
        lines.close();
      } catch (IOException e) {
        throw damaged(e.toString());
      }
    }
  }
}
