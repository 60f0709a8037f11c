package dev.tenure.persistence.journal;

import dev.tenure.persistence.commit.InvalidCommitError;
import dev.tenure.persistence.storage.SqlFailures;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.apache.pekko.persistence.SnapshotMetadata;
import org.apache.pekko.persistence.jdbc.config.SnapshotConfig;
import org.apache.pekko.persistence.jdbc.snapshot.dao.DefaultSnapshotDao;
import org.apache.pekko.serialization.Serialization;
import org.apache.pekko.serialization.Serializer;
import org.apache.pekko.serialization.Serializers;
import org.apache.pekko.stream.Materializer;
import scala.concurrent.ExecutionContext;
import scala.concurrent.Future;
import scala.concurrent.Future$;
import scala.runtime.BoxedUnit;
import slick.jdbc.JdbcBackend;
import slick.jdbc.JdbcProfile;

/**
 * Snapshots of pekko-persistence-jdbc, written under the fence: an owner that lost its tenure
 * leaves no snapshot either. A workflow has one snapshot, the newest.
 */
public final class FencedSnapshotDao extends DefaultSnapshotDao {
  private final Serialization serialization;
  private final DataSource pool;
  private final ExecutionContext executor;

  public FencedSnapshotDao(
      JdbcBackend.JdbcDatabaseDef db,
      JdbcProfile profile,
      SnapshotConfig config,
      Serialization serialization,
      ExecutionContext executor,
      Materializer materializer) {
    super(db, profile, config, serialization, executor, materializer);
    this.serialization = serialization;
    this.pool = StorageExtension.of(materializer.system()).storage().dataSource();
    this.executor = db.executor().executionContext();
  }

  /** KEY SHARE for the same reason as in the commit statement: a takeover waits, or is seen. */
  private static final String SAVE =
      """
      WITH held AS (
        SELECT FROM shard_lease WHERE shard = ? AND epoch = ? FOR KEY SHARE
      ), older AS (
        DELETE FROM snapshot WHERE persistence_id = ? AND sequence_number < ?
          AND EXISTS (SELECT FROM held)
      )
      INSERT INTO snapshot (persistence_id, sequence_number, created, snapshot_ser_id,
        snapshot_ser_manifest, snapshot_payload)
      SELECT ?, ?, ?, ?, ?, ? FROM held
      ON CONFLICT (persistence_id, sequence_number) DO NOTHING
      """;

  @Override
  public Future<BoxedUnit> save(SnapshotMetadata metadata, Object snapshot) {
    if (!(snapshot instanceof Fenced fenced)) {
      return Future$.MODULE$.failed(
          new InvalidCommitError(
              snapshot.getClass().getName()
                  + " is not Fenced: only an owner's snapshots are stored"));
    }
    Serializer serializer = serialization.findSerializerFor(snapshot);
    byte[] payload = serializer.toBinary(snapshot);
    String manifest = Serializers.manifestFor(serializer, snapshot);
    return Future$.MODULE$.apply(
        () -> {
          save(metadata, fenced, serializer.identifier(), manifest, payload);
          return BoxedUnit.UNIT;
        },
        executor);
  }

  private void save(
      SnapshotMetadata metadata, Fenced fenced, int serializer, String manifest, byte[] payload) {
    try (Connection c = pool.getConnection();
        PreparedStatement save = c.prepareStatement(SAVE)) {
      save.setInt(1, fenced.fence().shard());
      save.setLong(2, fenced.fence().epoch());
      save.setString(3, metadata.persistenceId());
      save.setLong(4, metadata.sequenceNr());
      save.setString(5, metadata.persistenceId());
      save.setLong(6, metadata.sequenceNr());
      save.setLong(7, metadata.timestamp());
      save.setInt(8, serializer);
      save.setString(9, manifest);
      save.setBytes(10, payload);
      if (save.executeUpdate() == 0) {
        throw new SnapshotNotStored(
            metadata.persistenceId(), metadata.sequenceNr(), fenced.fence());
      }
    } catch (SQLException e) {
      throw SqlFailures.atCommit("saving the snapshot of " + metadata.persistenceId(), e);
    }
  }

  @Override
  public Future<BoxedUnit> delete(String persistenceId, long sequenceNr) {
    return refuse(persistenceId);
  }

  @Override
  public Future<BoxedUnit> deleteAllSnapshots(String persistenceId) {
    return refuse(persistenceId);
  }

  @Override
  public Future<BoxedUnit> deleteUpToMaxSequenceNr(String persistenceId, long maxSequenceNr) {
    return refuse(persistenceId);
  }

  @Override
  public Future<BoxedUnit> deleteUpToMaxTimestamp(String persistenceId, long maxTimestamp) {
    return refuse(persistenceId);
  }

  @Override
  public Future<BoxedUnit> deleteUpToMaxSequenceNrAndMaxTimestamp(
      String persistenceId, long maxSequenceNr, long maxTimestamp) {
    return refuse(persistenceId);
  }

  private static Future<BoxedUnit> refuse(String persistenceId) {
    return Future$.MODULE$.failed(
        new UnsupportedOperationException(
            "snapshots of %s are replaced by newer ones, never deleted unfenced"
                .formatted(persistenceId)));
  }
}
