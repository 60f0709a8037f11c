package dev.tenure.persistence.storage;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Something that a storage lacks.
 *
 * @param text one sentence, for people
 */
public record Finding(Kind kind, String text) {
  /** What follows from a finding. */
  public enum Effect {
    /** Several nodes cannot use the storage. */
    REFUSED,
    /**
     * An acknowledged write may be lost. The operator can accept that, for each finding by name.
     */
    NOT_DURABLE,
    /** It works. The operator can do better, or accept it by name. */
    ADVICE
  }

  /** The findings that there are. */
  public enum Kind {
    FOREIGN_SERVER("foreign-server", Effect.REFUSED),
    CITUS("citus", Effect.REFUSED),
    OLD_SERVER("old-server", Effect.REFUSED),
    STANDBY("standby", Effect.REFUSED),
    READ_ONLY("read-only", Effect.REFUSED),
    POOLER("transaction-pooler", Effect.REFUSED),
    UNCONDITIONAL("unconditional", Effect.REFUSED),
    IN_MEMORY("in-memory", Effect.NOT_DURABLE),
    FSYNC_OFF("fsync-off", Effect.NOT_DURABLE),
    SYNCHRONOUS_COMMIT_OFF("synchronous-commit-off", Effect.NOT_DURABLE),
    FULL_PAGE_WRITES_OFF("full-page-writes-off", Effect.NOT_DURABLE),
    WAL_COMPRESSION_OFF("wal-compression-off", Effect.ADVICE),
    LOG_POSITION_HIDDEN("log-position-hidden", Effect.ADVICE);

    private final String configName;
    private final Effect effect;

    Kind(String configName, Effect effect) {
      this.configName = configName;
      this.effect = effect;
    }

    /** How it is written in messages and in the configuration. */
    public String configName() {
      return configName;
    }

    public Effect effect() {
      return effect;
    }

    /** Those that a configuration can accept. */
    public static List<Kind> acceptable() {
      return Arrays.stream(values())
          .filter(kind -> kind.effect != Effect.REFUSED && kind != IN_MEMORY)
          .toList();
    }

    /** The kind that a configuration names, if it is one that can be accepted. */
    public static Optional<Kind> acceptable(String configName) {
      return acceptable().stream().filter(kind -> kind.configName.equals(configName)).findFirst();
    }
  }

  /** The sentence, with the name under which the finding can be looked up or accepted. */
  @Override
  public String toString() {
    return text + " [" + kind.configName + "]";
  }
}
