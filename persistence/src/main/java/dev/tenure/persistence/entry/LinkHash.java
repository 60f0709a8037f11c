package dev.tenure.persistence.entry;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;

/**
 * The SHA-256 that is a commit's link. What goes into it, byte for byte, stands in {@code
 * docs/reference/proof.md}: a change of it is a new {@link JournalEntryCodec#FORMAT}.
 */
final class LinkHash {
  /** No other hash of the engine begins with it: leaves and nodes of a Merkle tree have 0 and 1. */
  private static final byte LINK = 2;

  /** The first byte, the lengths of two texts, and the writer. */
  private static final int FIXED_BYTES = 1 + Short.BYTES + 1 + 2 * Long.BYTES;

  // Making a digest costs as much as using it.
  private static final ThreadLocal<LinkHash> MINE = ThreadLocal.withInitial(LinkHash::new);

  private final MessageDigest digest;

  /** The columns go into the digest in one piece: each call of it has a price of its own. */
  private ByteBuffer columns = ByteBuffer.allocate(512);

  private LinkHash() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** Of two byte strings, one behind the other. */
  static byte[] of(byte[] first, byte[] second) {
    MessageDigest digest = MINE.get().digest;
    digest.update(first);
    return digest.digest(second);
  }

  /** Of a commit, whose payload holds the link before it, its version and its fence. */
  static byte[] of(Authorship by, String manifest, byte[] stored) {
    return MINE.get().link(by, manifest, stored);
  }

  private byte[] link(Authorship by, String manifest, byte[] stored) {
    byte[] id = by.workflow().value().getBytes(StandardCharsets.UTF_8);
    UUID writer = by.writer();
    byte[] kind = manifest.getBytes(StandardCharsets.UTF_8);
    int length = FIXED_BYTES + id.length + kind.length;
    if (columns.capacity() < length) columns = ByteBuffer.allocate(length);
    columns.clear();
    columns.put(LINK);
    columns.putShort((short) id.length).put(id);
    columns.putLong(writer.getMostSignificantBits()).putLong(writer.getLeastSignificantBits());
    columns.put((byte) kind.length).put(kind);
    digest.update(columns.array(), 0, columns.position());
    return digest.digest(stored);
  }
}
