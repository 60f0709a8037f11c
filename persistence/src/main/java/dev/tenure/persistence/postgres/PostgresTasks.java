package dev.tenure.persistence.postgres;

import dev.tenure.persistence.codec.Apart;
import dev.tenure.persistence.key.KeyText;
import dev.tenure.persistence.payload.Payloads;
import dev.tenure.persistence.task.TakenTask;
import dev.tenure.persistence.task.Taking;
import dev.tenure.persistence.task.TaskId;
import dev.tenure.persistence.task.TaskOffer;
import dev.tenure.persistence.task.TaskStanding;
import dev.tenure.persistence.task.TaskState;
import dev.tenure.persistence.task.Tasks;
import dev.tenure.workflow.operation.Outcome;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;

/** Tasks as rows of {@code task}. */
final class PostgresTasks implements Tasks {
  private static final int FORGOTTEN_MAX = 1_000;

  private final DataSource pool;
  private final Transactions transactions;
  private final TaskRows rows;
  private final TaskTaking taking;
  private final TaskHearing hearing;
  private final TaskExpiry expiry;
  private volatile String resourcesFrom = "";
  private volatile String queuesFrom = "";

  PostgresTasks(
      DataSource pool,
      Transactions transactions,
      Payloads payloads,
      PostgresActivityRecords records) {
    this.pool = pool;
    this.transactions = transactions;
    this.rows = new TaskRows(payloads);
    this.taking = new TaskTaking(rows);
    this.hearing = new TaskHearing(rows, records);
    this.expiry = new TaskExpiry(rows);
  }

  @Override
  public List<List<TakenTask>> take(String queue, List<Poll> polls, Secrets secrets) {
    Taking.requireValid(polls);
    if (polls.isEmpty()) return List.of();
    return transactions.run(
        "taking tasks of queue " + queue, c -> taking.take(c, queue, polls, secrets));
  }

  @Override
  public List<Heard> hear(List<Report> reports) {
    Tasks.requireBatch(reports.size());
    if (reports.isEmpty()) return List.of();
    return transactions.run(
        "taking " + reports.size() + " reports of workers", c -> hearing.hear(c, reports));
  }

  static final String STANDING =
      """
      SELECT a.place, t.* FROM unnest(?::text[], ?::text[]) WITH ORDINALITY
        AS a (workflow, operation, place)
      CROSS JOIN LATERAL (
        SELECT * FROM task s
        WHERE s.workflow_id = a.workflow AND s.operation_id = a.operation LIMIT 1) t
      """;

  @Override
  public List<Optional<TaskStanding>> standing(List<TaskId> ids) {
    Tasks.requireBatch(ids.size());
    List<Optional<TaskStanding>> found =
        new ArrayList<>(Collections.nCopies(ids.size(), Optional.empty()));
    if (ids.isEmpty()) return found;
    return read(
        "reading how tasks stand",
        c -> {
          try (PreparedStatement query = c.prepareStatement(STANDING)) {
            query.setArray(1, TaskRows.workflows(c, ids));
            query.setArray(2, TaskRows.operations(c, ids));
            try (ResultSet row = query.executeQuery()) {
              while (row.next())
                found.set(row.getInt("place") - 1, Optional.of(rows.standing(row)));
            }
          }
          return found;
        });
  }

  private <T> T read(String what, Transactions.Work<T> work) {
    try (Connection c = pool.getConnection()) {
      return work.run(c);
    } catch (SQLException e) {
      throw SqlFailures.beforeCommit(what, e);
    }
  }

  /** A task that was held back was with no worker: nobody lost it. */
  static final String OFFER_LOST_AGAIN =
      """
      UPDATE task t SET state = 'waiting', delivery = t.delivery + v.lost, losses = t.losses + v.lost,
        due_at = t.deadline, attempt_until = NULL, worker = NULL, token = NULL
      FROM (
        SELECT s.tableoid AS part, s.ctid AS row, s.attempt, s.state, s.due_at,
          CASE WHEN s.token IS NULL THEN 0 ELSE 1 END AS lost
        FROM task s
        WHERE s.workflow_id = ? AND s.operation_id = ? LIMIT 1 FOR UPDATE) v
      WHERE t.ctid = v.row AND t.tableoid = v.part AND v.attempt = ? AND v.state = 'lost'
        AND v.due_at IS NOT DISTINCT FROM ?::timestamptz
      """;

  @Override
  public boolean offerAgain(TaskId id, TaskStanding.Lost found) {
    try (Connection c = pool.getConnection();
        PreparedStatement update = c.prepareStatement(OFFER_LOST_AGAIN)) {
      update.setString(1, KeyText.column(id.workflow().value()));
      update.setString(2, KeyText.column(id.operation()));
      update.setInt(3, found.attempt());
      update.setString(4, found.since().map(at -> at.toString()).orElse(null));
      return update.executeUpdate() == 1;
    } catch (SQLException e) {
      throw SqlFailures.atCommit("handing out again " + id, e);
    }
  }

  @Override
  public Optional<TaskStanding> endLost(TaskId id, TaskStanding.Lost found, Outcome conclusion) {
    return transactions.run(
        "ending lost task " + id, c -> hearing.endLost(c, id, found, conclusion));
  }

  @Override
  public void offer(TaskOffer offer) {
    transactions.run(
        "offering " + offer.id(),
        c -> {
          Apart apart = Apart.besideJournal(offer.id().workflow(), offer.shard());
          SideRows.of(TaskWrites.later(offer, TaskState.WAITING, apart)).write(c);
          SideRows.withoutCommit(apart.rows()).write(c);
          return null;
        });
  }

  @Override
  public Expired expire(int limit) {
    Tasks.requireBatch(limit);
    Expired expired =
        transactions.run("looking after tasks whose time is over", c -> expiry.expire(c, limit));
    transactions.run(
        "forgetting queues and resources that are not used",
        c -> {
          resourcesFrom =
              TaskExpiry.forget(c, TaskExpiry.FORGET_RESOURCES, resourcesFrom, FORGOTTEN_MAX);
          queuesFrom = TaskExpiry.forget(c, TaskExpiry.FORGET_QUEUES, queuesFrom, FORGOTTEN_MAX);
          return null;
        });
    return expired;
  }

  @Override
  public Set<String> withWork(Set<String> queues) {
    if (queues.isEmpty()) return Set.of();
    return read("looking for work", c -> TaskViews.withWork(c, queues));
  }

  @Override
  public QueueView view(String queue, int keys) {
    return read("reading queue " + queue, c -> TaskViews.view(c, queue, keys));
  }

  @Override
  public List<String> queues(int limit) {
    return read("listing queues", c -> TaskViews.queues(c, limit));
  }

  @Override
  public Optional<Long> position(TaskId id) {
    return read("looking for the place of " + id, c -> TaskViews.position(c, id));
  }
}
