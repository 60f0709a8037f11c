package dev.tenure.sharding.task;

import dev.tenure.persistence.task.Tasks;
import java.security.SecureRandom;
import java.util.Base64;

/** Makes the secrets of tokens from a source of chance that is given. */
public final class TaskSecrets implements Tasks.Secrets {
  /** As many as a UUID has, and two more so that the text needs no padding. */
  private static final int SECRET_BYTES = 18;

  private final SecureRandom chance;

  /**
   * @param chance nobody may be able to guess what comes next
   */
  public TaskSecrets(SecureRandom chance) {
    this.chance = chance;
  }

  @Override
  public String next() {
    byte[] secret = new byte[SECRET_BYTES];
    chance.nextBytes(secret);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
  }
}
