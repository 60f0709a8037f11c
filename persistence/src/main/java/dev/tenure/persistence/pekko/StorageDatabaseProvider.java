package dev.tenure.persistence.pekko;

import com.typesafe.config.Config;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.persistence.jdbc.db.SlickDatabase;
import org.apache.pekko.persistence.jdbc.db.SlickDatabaseProvider;
import slick.jdbc.JdbcBackend;
import slick.jdbc.JdbcProfile;
import slick.jdbc.PostgresProfile$;

/**
 * Gives pekko-persistence-jdbc no database of its own. {@link FencedJournalDao} uses the {@link
 * dev.tenure.persistence.storage.Storage} wherever the plugin would use a database.
 */
public final class StorageDatabaseProvider implements SlickDatabaseProvider {
  public StorageDatabaseProvider(ActorSystem system) {}

  @Override
  public SlickDatabase database(Config config) {
    return new None();
  }

  private record None() implements SlickDatabase {
    /** Handed to the DAO's constructor, and used by none of its methods that are left. */
    @Override
    public JdbcBackend.JdbcDatabaseDef database() {
      return null;
    }

    @Override
    public JdbcProfile profile() {
      return PostgresProfile$.MODULE$;
    }

    @Override
    public boolean allowShutdown() {
      return false;
    }
  }
}
