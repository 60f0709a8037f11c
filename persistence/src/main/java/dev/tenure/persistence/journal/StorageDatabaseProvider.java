package dev.tenure.persistence.journal;

import com.typesafe.config.Config;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.persistence.jdbc.db.SlickDatabase;
import org.apache.pekko.persistence.jdbc.db.SlickDatabaseProvider;
import scala.Option;
import slick.jdbc.JdbcBackend;
import slick.jdbc.JdbcBackend$;
import slick.jdbc.JdbcProfile;
import slick.jdbc.PostgresProfile$;
import slick.util.AsyncExecutor;

/** Gives pekko-persistence-jdbc the storage's own connections instead of a second pool. */
public final class StorageDatabaseProvider implements SlickDatabaseProvider {
  // What is left to the plugin are snapshots: a few connections' worth of blocking work.
  private static final int THREADS = 4;
  private static final int QUEUE_LIMIT = 20_000;

  private final SlickDatabase database;

  public StorageDatabaseProvider(ActorSystem system) {
    AsyncExecutor executor = AsyncExecutor.apply("tenure-slick", THREADS, QUEUE_LIMIT);
    JdbcBackend.JdbcDatabaseDef db =
        JdbcBackend$.MODULE$
            .Database()
            .forDataSource(
                StorageExtension.of(system).storage().dataSource(),
                Option.apply(THREADS),
                executor,
                false);
    system.registerOnTermination(executor::close);
    database = new Shared(db);
  }

  @Override
  public SlickDatabase database(Config config) {
    return database;
  }

  /** Closing it would close the storage's pool with it: the plugins must not. */
  private record Shared(JdbcBackend.JdbcDatabaseDef database) implements SlickDatabase {
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
