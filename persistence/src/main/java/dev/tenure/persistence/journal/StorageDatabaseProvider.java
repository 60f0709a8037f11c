package dev.tenure.persistence.journal;

import com.typesafe.config.Config;
import java.io.Closeable;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.persistence.jdbc.db.EagerSlickDatabase;
import org.apache.pekko.persistence.jdbc.db.SlickDatabase;
import org.apache.pekko.persistence.jdbc.db.SlickDatabaseProvider;
import scala.Option;
import slick.jdbc.JdbcBackend;
import slick.jdbc.JdbcBackend$;
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
    Closeable closer = db::close;
    system.registerOnTermination(
        () -> {
          try {
            closer.close();
          } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
          }
        });
    database = new EagerSlickDatabase(db, PostgresProfile$.MODULE$);
  }

  @Override
  public SlickDatabase database(Config config) {
    return database;
  }
}
