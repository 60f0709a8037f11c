package dev.tenure.persistence.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.workflow.WorkflowId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Each kind of damage to a stored history is found, with the first row that does not fit. */
class TamperedStoreTest {
  private static CommittedHistories store;

  @BeforeAll
  static void open() {
    store = new CommittedHistories();
  }

  @AfterAll
  static void close() {
    store.close();
  }

  private static Optional<Finding> verify(WorkflowId id) {
    return HistoryVerification.of(store.storage, store.heads(), id, List.of())
        .orElseThrow()
        .finding();
  }

  private static void rows(String set, WorkflowId id, String where) {
    store.database.execute(
        "UPDATE event_journal SET %s WHERE persistence_id = '%s' AND %s".formatted(set, id, where));
  }

  private static void first(WorkflowId id, long version, String... words) {
    Finding finding = verify(id).orElseThrow();
    assertThat(finding.workflow()).isEqualTo(id.value());
    assertThat(finding.version()).as(finding.toString()).isEqualTo(version);
    for (String word : words) assertThat(finding.what()).contains(word);
  }

  @Test
  void aHistoryThatNobodyChangedFits() {
    WorkflowId id = store.closed("fits");
    Verified verified =
        HistoryVerification.of(store.storage, store.heads(), id, List.of()).orElseThrow();
    assertThat(verified.finding()).isEmpty();
    assertThat(verified.commits()).isEqualTo(6);
    assertThat(verified.payloads()).isEqualTo(1);
    assertThat(verified.link())
        .contains(store.heads().find(id).orElseThrow().head().orElseThrow().link());
    WorkflowId other = new WorkflowId("is not there");
    assertThat(HistoryVerification.of(store.storage, store.heads(), other, List.of())).isEmpty();
  }

  @Test
  void aByteOfAPayloadIsFound() {
    for (int version = 2; version <= 6; version++) {
      WorkflowId id = store.closed("byte-" + version);
      // The nanoseconds or the text of its only event.
      rows(
          "event_payload = set_byte(event_payload, octet_length(event_payload) - 1,"
              + " get_byte(event_payload, octet_length(event_payload) - 1) # 1)",
          id,
          "sequence_number = " + version);
      assertThat(verify(id).orElseThrow().version()).as("version " + version).isEqualTo(version);
    }
  }

  @Test
  void aColumnIsFound() {
    List<String> columns =
        List.of(
            "writer = md5('w-x')::uuid",
            "epoch = epoch + 1",
            "shard = shard + 1",
            "event_ser_manifest = 'r'",
            "event_ser_manifest = '7:s'");
    for (int i = 0; i < columns.size(); i++) {
      WorkflowId id = store.closed("column-" + i);
      rows(columns.get(i), id, "sequence_number = 3");
      assertThat(verify(id).orElseThrow().version()).as(columns.get(i)).isEqualTo(3);
    }
    WorkflowId id = store.closed("column-run");
    rows("event_ser_manifest = 's'", id, "sequence_number = 4");
    first(id, 4, "event_ser_manifest");
    WorkflowId last = store.closed("column-last");
    rows("writer = md5('w-x')::uuid", last, "sequence_number = 6");
    first(last, 6, RecordedHead.SOURCE);
  }

  @Test
  void aRowThatWasLeftOutIsFound() {
    for (int version = 1; version <= 5; version++) {
      WorkflowId id = store.closed("out-" + version);
      store.database.execute(
          "DELETE FROM event_journal WHERE persistence_id = '%s' AND sequence_number = %d"
              .formatted(id, version));
      first(id, version, "is missing");
      WorkflowId closed = store.closed("closed-up-" + version);
      store.database.execute(
          "DELETE FROM event_journal WHERE persistence_id = '%s' AND sequence_number = %d"
              .formatted(closed, version));
      for (int behind = version + 1; behind <= 6; behind++)
        rows("sequence_number = " + (behind - 1), closed, "sequence_number = " + behind);
      first(closed, version, "sequence_number");
    }
  }

  private static void exchange(WorkflowId one, WorkflowId other, String where) {
    store.database.execute(
        """
        UPDATE event_journal SET persistence_id = CASE persistence_id
          WHEN '%1$s' THEN '~%2$s' ELSE '~%1$s' END
        WHERE persistence_id IN ('%1$s', '%2$s') AND %3$s
        """
            .formatted(one, other, where));
    store.database.execute(
        """
        UPDATE event_journal SET persistence_id = substr(persistence_id, 2)
        WHERE persistence_id LIKE '~%'
        """);
  }

  @Test
  void rowsThatWereExchangedBetweenTwoWorkflowsAreFound() {
    WorkflowId one = store.closed("one");
    WorkflowId other = store.closed("other");
    exchange(one, other, "true");
    first(one, 1, "a commit of workflow other");
    first(other, 1, "a commit of workflow one");
    WorkflowId some = store.closed("some");
    WorkflowId more = store.closed("more");
    exchange(some, more, "sequence_number = 3");
    first(some, 3);
    first(more, 3);
    WorkflowId late = store.closed("late");
    WorkflowId later = store.closed("later");
    exchange(late, later, "sequence_number >= 4");
    first(late, 4, "a commit of workflow later");
  }

  @Test
  void aTailThatWasCutIsFound() {
    for (int version = 1; version <= 6; version++) {
      WorkflowId id = store.closed("cut-" + version);
      store.database.execute(
          "DELETE FROM event_journal WHERE persistence_id = '%s' AND sequence_number >= %d"
              .formatted(id, version));
      first(id, version, "is missing", "to version 6");
    }
  }

  @Test
  void aRowBehindTheEndIsFound() {
    WorkflowId id = store.closed("behind");
    store.database.execute(
        """
        INSERT INTO event_journal (persistence_id, sequence_number, epoch, shard, writer,
          event_ser_manifest, event_payload)
        SELECT persistence_id, 7, epoch, shard, writer,
          event_ser_manifest, set_byte(event_payload, 3, 7)
        FROM event_journal WHERE persistence_id = 'behind' AND sequence_number = 6
        """);
    first(id, 7);
  }

  @Test
  void aChangedRunBeforeTheNewestIsFound() {
    WorkflowId id = store.closed("older");
    rows("writer = md5('w-x')::uuid", id, "sequence_number = 3");
    // The second run, which is all that a recovery reads, begins behind it.
    first(id, 3);
  }

  @Test
  void aPayloadThatStandsApartIsFound() {
    WorkflowId changed = store.closed("apart");
    store.database.execute(
        "UPDATE payload SET content = set_byte(content, 5, 1) WHERE workflow_id = 'apart'");
    first(changed, 1, "is not what was stored");
    WorkflowId lost = store.closed("apart-lost");
    store.database.execute("DELETE FROM payload WHERE workflow_id = 'apart-lost'");
    first(lost, 1, "is not there");
  }

  @Test
  void allOfItIsVerifiedInPartsAndInOrder() {
    try (CommittedHistories own = new CommittedHistories()) {
      List<WorkflowId> ids = new ArrayList<>();
      for (String name : List.of("a", "b %", "c\u0000", "d", "\uD83D\uDE00", "\uFFFD"))
        ids.add(own.closed(name));
      ids.add(own.open("long", 40));
      List<String> told = new ArrayList<>();
      StoreVerification.Summary all = verify(own, "", told);
      assertThat(all).isEqualTo(new StoreVerification.Summary(7, 76, 6, 0, 0));
      // A range for each few rows, and none begins or ends within a history.
      assertThat(told).contains("up to a", "up to c%00", "up to long");
      assertThat(verify(own, "c%00", new ArrayList<>()).workflows()).isEqualTo(4);

      own.database.execute("DELETE FROM workflow_closed WHERE id = 'a'");
      own.database.execute("DELETE FROM event_journal WHERE persistence_id = 'd'");
      own.database.execute(
          "UPDATE event_journal SET writer = md5('x')::uuid WHERE persistence_id = 'long'"
              + " AND sequence_number = 20");
      told.clear();
      assertThat(verify(own, "", told).damaged()).isEqualTo(3);
      assertThat(told.stream().filter(line -> !line.startsWith("up to")))
          .satisfiesExactly(
              a -> assertThat(a).startsWith("a: version 6 is of a workflow that has no row"),
              d -> assertThat(d).startsWith("d: version 1 is missing"),
              one -> assertThat(one).startsWith("long: version 20 "));
    }
  }

  private static StoreVerification.Summary verify(
      CommittedHistories own, String after, List<String> told) {
    StoreVerification.Listener listener =
        new StoreVerification.Listener() {
          @Override
          public void found(Finding finding) {
            told.add(finding.toString());
          }

          @Override
          public void progress(StoreVerification.Summary soFar, String upTo) {
            told.add("up to " + upTo);
          }
        };
    return new StoreVerification(
            own.storage.histories(), 2, StoreVerification.Known.NOTHING, listener)
        .withRangesOf(3)
        .run(after);
  }
}
