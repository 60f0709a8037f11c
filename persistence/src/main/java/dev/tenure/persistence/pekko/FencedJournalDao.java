package dev.tenure.persistence.pekko;

import static scala.jdk.javaapi.FutureConverters.asScala;

import dev.tenure.persistence.codec.PersistedEntryIncompatibleError;
import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitId;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.commit.InvalidCommitError;
import dev.tenure.persistence.journal.DamagedJournalError;
import dev.tenure.persistence.journal.JournalRead;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.journal.PayloadForm;
import dev.tenure.persistence.merging.CommitPipeline;
import dev.tenure.persistence.merging.MergedReads;
import java.io.NotSerializableException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.apache.pekko.NotUsed;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Scheduler;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.persistence.AtomicWrite;
import org.apache.pekko.persistence.PersistentRepr;
import org.apache.pekko.persistence.PersistentRepr$;
import org.apache.pekko.persistence.jdbc.config.JournalConfig;
import org.apache.pekko.persistence.jdbc.journal.dao.DefaultJournalDao;
import org.apache.pekko.serialization.Serialization;
import org.apache.pekko.serialization.Serializer;
import org.apache.pekko.serialization.Serializers;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.scaladsl.Source;
import scala.Option;
import scala.Tuple2;
import scala.collection.immutable.Seq;
import scala.concurrent.ExecutionContext;
import scala.concurrent.Future;
import scala.concurrent.Future$;
import scala.concurrent.Promise;
import scala.concurrent.Promise$;
import scala.concurrent.duration.FiniteDuration;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.BoxedUnit;
import scala.util.Failure;
import scala.util.Try;
import slick.jdbc.JdbcBackend;
import slick.jdbc.JdbcProfile;

/**
 * The journal of pekko-persistence-jdbc with its write path replaced: an event is stored as a
 * {@link Commit}, by the {@link CommitPipeline}, under its owner's {@link Fenced fence}.
 *
 * <p>A commit that is fenced, in conflict, invalid, or finds the pipeline full is
 * <em>rejected</em>: it is certainly not stored, and no other workflow is affected. One whose
 * outcome is unknown <em>fails</em>: its owner starts again and reads from the store which commits
 * stand.
 */
public class FencedJournalDao extends DefaultJournalDao {
  // Pekko's short form of "every message was stored".
  private static final Seq<Try<BoxedUnit>> ALL_STORED =
      CollectionConverters.asScala(List.<Try<BoxedUnit>>of()).toSeq();

  private static final int RECOVERY_PAGE_ROWS = 500;

  /** A page, and one commit of the largest size, must fit into memory many times over. */
  private static final long RECOVERY_PAGE_BYTES = 4L * 1024 * 1024;

  private final Serialization serialization;
  private final Executor decoding;
  private final CommitPipeline commits;
  private final MergedReads reads;

  // A workflow that starts again while its last commit is under way must not read before it.
  private final Map<String, CompletionStage<CommitResult>> inFlight;

  public FencedJournalDao(
      JdbcBackend.JdbcDatabaseDef db,
      JdbcProfile profile,
      JournalConfig config,
      Serialization serialization,
      ExecutionContext executor,
      Materializer materializer) {
    super(db, profile, config, serialization, executor, materializer);
    this.serialization = serialization;
    this.decoding = executor::execute;
    StorageExtension storage = StorageExtension.of(materializer.system());
    this.commits = storage.commits();
    this.reads = storage.reads();
    this.inFlight = storage.inFlight();
    storage.journalIs(this);
  }

  /**
   * Stores an event as one commit. An owner calls this instead of Pekko's journal: it writes one
   * event at a time and needs only the answer, and the journal would take four messages more for
   * the same. May be called from any thread. The thread that committed completes the answer, so
   * what depends on it must be short. Fails when the event cannot be stored, or the pipeline takes
   * no more.
   */
  public CompletionStage<CommitResult> write(CommitId id, Fenced event) {
    Commit commit;
    try {
      commit = commit(id, event);
    } catch (RuntimeException e) {
      return CompletableFuture.failedStage(e);
    }
    return submit(commit);
  }

  private CompletionStage<CommitResult> submit(Commit commit) {
    String persistenceId = commit.id().persistenceId();
    CompletionStage<CommitResult> submitted = commits.submit(commit);
    inFlight.put(persistenceId, submitted);
    return submitted.whenComplete((result, failure) -> inFlight.remove(persistenceId, submitted));
  }

  @Override
  public Future<Seq<Try<BoxedUnit>>> asyncWriteMessages(Seq<AtomicWrite> messages) {
    Commit commit;
    try {
      commit = toCommit(messages);
    } catch (Exception e) {
      return Future$.MODULE$.successful(rejection(messages.size(), e));
    }
    Promise<Seq<Try<BoxedUnit>>> answer = Promise$.MODULE$.apply();
    submit(commit)
        .whenComplete(
            (result, failure) -> {
              if (failure != null) answer.success(rejection(1, unwrapped(failure)));
              else answer(answer, commit.id(), result);
            });
    return answer.future();
  }

  private static Throwable unwrapped(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  private static void answer(
      Promise<Seq<Try<BoxedUnit>>> answer, CommitId id, CommitResult result) {
    switch (result) {
      case CommitResult.Committed c -> answer.success(ALL_STORED);
      case CommitResult.Fenced f -> answer.success(rejection(1, new CommitRejected(id, f)));
      case CommitResult.SignalNotTaken s -> answer.success(rejection(1, new CommitRejected(id, s)));
      case CommitResult.Conflict c -> answer.success(rejection(1, new CommitRejected(id, c)));
      // Failing the call, not the message: only that makes the actor recover.
      case CommitResult.Unknown u -> answer.failure(new CommitOutcomeUnknown(id, u.cause()));
    }
  }

  private static Seq<Try<BoxedUnit>> rejection(int messages, Throwable cause) {
    List<Try<BoxedUnit>> all = Collections.nCopies(messages, new Failure<>(cause));
    return CollectionConverters.asScala(all).toSeq();
  }

  private Commit toCommit(Seq<AtomicWrite> messages) {
    if (messages.size() != 1 || messages.head().payload().size() != 1) {
      throw new InvalidCommitError(
          "several events were persisted together: a commit is one journal entry, put them into"
              + " one");
    }
    PersistentRepr event = messages.head().payload().head();
    if (!(event.payload() instanceof Fenced fenced)) {
      throw new InvalidCommitError(
          event.payload().getClass().getName()
              + " is not Fenced: only an owner's commits are stored");
    }
    return commit(
        new CommitId(
            event.persistenceId(), event.sequenceNr(), UUID.fromString(event.writerUuid())),
        fenced);
  }

  private Commit commit(CommitId id, Fenced fenced) {
    Serializer serializer = serialization.findSerializerFor(fenced);
    String manifest = Serializers.manifestFor(serializer, fenced);
    return new Commit(
        id,
        fenced.fence(),
        new PayloadForm(serializer.identifier(), manifest).column(),
        serializer.toBinary(fenced),
        fenced.sideRows(),
        fenced.storedLink());
  }

  /** For replays that are not to the end. No owner asks for one, so it may read all there is. */
  @Override
  public Future<Object> highestSequenceNr(String persistenceId, long fromSequenceNr) {
    return asScala(
        recover(persistenceId, Math.max(1, fromSequenceNr), Long.MAX_VALUE, event -> {})
            .thenApply(Object.class::cast));
  }

  @Override
  public Source<Try<Tuple2<PersistentRepr, Object>>, NotUsed> messages(
      String persistenceId, long from, long to, long max) {
    int limit = (int) Math.min(max, Integer.MAX_VALUE);
    return pages(persistenceId, from, to, limit, limit);
  }

  @Override
  public Source<Try<Tuple2<PersistentRepr, Object>>, NotUsed> messagesWithBatch(
      String persistenceId,
      long from,
      long to,
      int batchSize,
      Option<Tuple2<FiniteDuration, Scheduler>> refreshInterval) {
    return pages(persistenceId, from, to, batchSize, Long.MAX_VALUE);
  }

  private Source<Try<Tuple2<PersistentRepr, Object>>, NotUsed> pages(
      String persistenceId, long from, long to, int pageRows, long max) {
    return org.apache.pekko.stream.javadsl.Source.unfoldAsync(
            from,
            next -> {
              if (next > to) return CompletableFuture.completedStage(Optional.empty());
              // A read from the start is a recovery, which needs no run before the newest.
              JournalRead read = new JournalRead(persistenceId, next, to, pageRows, next <= 1);
              return reads.read(read).thenApply(rows -> page(first(next, rows), rows));
            })
        .mapConcat(page -> page)
        .take(max)
        .asScala();
  }

  /** The version that the rows must begin with: the one asked for, or one in which a run begins. */
  private static long first(long from, List<JournalRow> rows) {
    boolean laterRun = from <= 1 && !rows.isEmpty() && rows.getFirst().beginsRun();
    return laterRun ? rows.getFirst().version() : from;
  }

  private Optional<Pair<Long, List<Try<Tuple2<PersistentRepr, Object>>>>> page(
      long from, List<JournalRow> rows) {
    if (rows.isEmpty()) return Optional.empty();
    long next = requireUnbroken(from, rows);
    List<Try<Tuple2<PersistentRepr, Object>>> page = new ArrayList<>(rows.size());
    // The journal has no order of all rows; whoever replays one history goes by its versions.
    for (JournalRow row : rows)
      page.add(read(row).map(event -> new Tuple2<>(event, row.version())));
    return Optional.of(Pair.create(next, page));
  }

  /** Returns the version that comes after these rows, which begin with the one given. */
  private static long requireUnbroken(long from, List<JournalRow> rows) {
    long version = from;
    long epoch = 0;
    for (JournalRow row : rows) {
      if (row.version() != version) throw DamagedJournalError.hole(row, version); // I2
      if (row.epoch() < epoch) throw DamagedJournalError.fallingEpoch(row, epoch); // I16
      version++;
      epoch = row.epoch();
    }
    return version;
  }

  private Try<PersistentRepr> read(JournalRow row) {
    PayloadForm form = PayloadForm.ofColumn(row.manifest());
    Try<Object> read = serialization.deserialize(row.payload(), form.serializer(), form.manifest());
    if (read.isFailure() && read.failed().get() instanceof NotSerializableException)
      return new Failure<>(
          new PersistedEntryIncompatibleError(
              "a journal row of the serializer " + form.serializer()));
    return read.map(
        event ->
            PersistentRepr$.MODULE$.apply(
                event instanceof Fenced fenced ? fenced.storedAs(row) : event,
                row.version(),
                row.persistenceId(),
                "",
                false,
                ActorRef.noSender(),
                row.writer().toString()));
  }

  /**
   * Reads from there on, or the newest run from its beginning when that is later and the first
   * version is asked for. Hands the entries over in their order, and then completes with the
   * version of the last one; with {@code from - 1} when there is none.
   *
   * @param max so many at most
   */
  CompletionStage<Long> recover(
      String persistenceId, long from, long max, Consumer<PersistentRepr> each) {
    CompletionStage<CommitResult> pending = inFlight.get(persistenceId);
    if (pending == null) return read(persistenceId, from, max, each);
    return pending
        .handle((result, failure) -> persistenceId)
        .thenCompose(id -> read(id, from, max, each));
  }

  private CompletionStage<Long> read(
      String persistenceId, long from, long max, Consumer<PersistentRepr> each) {
    int pageRows = (int) Math.min(max, RECOVERY_PAGE_ROWS);
    JournalRead read =
        new JournalRead(
            persistenceId, from, Long.MAX_VALUE, pageRows, RECOVERY_PAGE_BYTES, from <= 1);
    // Not on the thread that gives the answers of many reads: it makes the next query meanwhile.
    return reads
        .read(read)
        .thenComposeAsync(
            rows -> {
              if (rows.isEmpty()) return CompletableFuture.completedStage(from - 1);
              long next = requireUnbroken(first(from, rows), rows);
              for (JournalRow row : rows) each.accept(read(row).get());
              long left = max - rows.size();
              return read.isFull(rows) && left > 0
                  ? read(persistenceId, next, left, each)
                  : CompletableFuture.completedStage(next - 1);
            },
            decoding);
  }

  /**
   * Refused. The role with which an owner reaches PostgreSQL may add rows to {@code event_journal},
   * and may neither change nor delete one. Removing the history of closed workflows is the work of
   * retention, with a role of its own; the engine has none yet.
   */
  @Override
  public Future<BoxedUnit> delete(String persistenceId, long maxSequenceNr) {
    return Future$.MODULE$.failed(
        new UnsupportedOperationException(
            "The history of "
                + persistenceId
                + " was not deleted: an owner's database role may not delete"
                + " rows of event_journal. Only retention may, with a role of its own."));
  }
}
