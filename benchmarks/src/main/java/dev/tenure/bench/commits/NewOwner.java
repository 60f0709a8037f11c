package dev.tenure.bench.commits;

import dev.tenure.persistence.commit.CommitId;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.pekko.FencedJournalDao;
import java.util.UUID;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * What the owner of a new workflow does with the journal: it reads nothing, hands one commit to the
 * journal's DAO itself, and stops when it is told that the commit stands.
 */
final class NewOwner {
  private static final UUID WRITER = new UUID(1, 1);

  private record Written(CommitResult result, Throwable failure) {}

  private NewOwner() {}

  static Behavior<Void> create(String id, Fence fence, FencedJournalDao journal, Runnable done) {
    return Behaviors.<Object>setup(
            context -> {
              ActorRef<Object> self = context.getSelf();
              BenchEvent event = new BenchEvent(fence, BenchEvent.payload(id.hashCode()));
              journal
                  .write(new CommitId(id, 1, WRITER), event)
                  .whenComplete((result, failure) -> self.tell(new Written(result, failure)));
              return Behaviors.receive(Object.class)
                  .onMessage(
                      Written.class,
                      written -> {
                        if (!(written.result() instanceof CommitResult.Committed))
                          throw new IllegalStateException(
                              id + ": " + written.result(), written.failure());
                        done.run();
                        return Behaviors.stopped();
                      })
                  .build();
            })
        .narrow();
  }
}
