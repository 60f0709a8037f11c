package dev.tenure.persistence.pekko;

import com.typesafe.config.Config;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.persistence.jdbc.db.SlickDatabase;
import org.apache.pekko.persistence.jdbc.db.SlickDatabaseProvider;
import slick.jdbc.JdbcBackend;
import slick.jdbc.JdbcProfile;
import slick.jdbc.PostgresProfile$;

/**
 * What pekko-persistence-jdbc is told of a database: that it has none of its own. {@link
 * FencedJournalDao} replaces every path of the plugin to one by the {@link
 * dev.tenure.persistence.storage.Storage}.
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
