package dev.tenure.node.command.store;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tenure.node.command.remote.Exit;
import dev.tenure.persistence.postgres.PostgresStorage;
import dev.tenure.persistence.proof.Checkpoint;
import dev.tenure.persistence.proof.CheckpointKey;
import dev.tenure.persistence.proof.NewestHeads;
import dev.tenure.persistence.proof.SignedRoot;
import java.nio.file.Path;
import java.time.Instant;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./tenure checkpoint}. */
@Command(
    name = "checkpoint",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = CheckpointCommand.Create.class,
    description = "Where all histories of a store end, signed, to be kept outside of it.")
public final class CheckpointCommand {
  @Command(name = "create", description = "Signs where all histories end now.")
  static final class Create extends StoreCommand {
    @Option(
        names = "--key",
        required = true,
        paramLabel = "FILE",
        description = "A private key of Ed25519 as PEM (openssl genpkey -algorithm ed25519).")
    private Path key;

    @Option(
        names = "--out",
        required = true,
        paramLabel = "FILE",
        description = "Where the checkpoint goes.")
    private Path out;

    @Mixin private StoreAccess store;

    @Override
    Exit run() {
      CheckpointKey signer = CheckpointKey.read(key);
      try (PostgresStorage storage = store.open()) {
        SignedRoot signed =
            Checkpoint.write(out, new NewestHeads(storage.histories()), signer, Instant.now());
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("createdAt", signed.createdAt()).put("heads", signed.heads());
        node.put("root", signed.rootText()).put("key", signed.keyText());
        output.say(
            node,
            "%d heads with the root %s, signed with the key %s"
                .formatted(signed.heads(), signed.rootText(), signed.keyText()));
        return Exit.DONE;
      }
    }
  }
}
