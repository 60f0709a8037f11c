package dev.tenure.bench.workflows;

import dev.tenure.bench.measure.BenchServer;
import dev.tenure.bench.measure.Meter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.SplittableRandom;

/** One connection that inserts a row, commits, and begins again: what durability alone takes. */
final class BareInsert implements Meter.Load {
  private static final String DATABASE = "bare";
  private static final int PAYLOAD_BYTES = 300;

  private final Thread thread;
  private volatile long inserts;
  private volatile boolean stopped;

  BareInsert(BenchServer server, Meter meter) {
    server.postgres().createDatabase(DATABASE);
    server.execute(
        DATABASE,
        "CREATE TABLE IF NOT EXISTS bare (id int8 PRIMARY KEY GENERATED ALWAYS AS IDENTITY, payload"
            + " bytea NOT NULL)");
    thread = Thread.ofPlatform().name("bare-insert").start(() -> run(server, meter));
  }

  private void run(BenchServer server, Meter meter) {
    byte[] payload = new byte[PAYLOAD_BYTES];
    new SplittableRandom(1).nextBytes(payload);
    try (Connection c = server.postgres().connect(DATABASE, "postgres");
        PreparedStatement insert = c.prepareStatement("INSERT INTO bare (payload) VALUES (?)")) {
      while (!stopped) {
        long start = System.nanoTime();
        insert.setBytes(1, payload);
        insert.executeUpdate();
        meter.done(System.nanoTime() - start);
        inserts = inserts + 1;
      }
    } catch (SQLException e) {
      throw new IllegalStateException("the bare insert failed", e);
    }
  }

  @Override
  public long transactions() {
    return inserts;
  }

  @Override
  public void stop() {
    stopped = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
