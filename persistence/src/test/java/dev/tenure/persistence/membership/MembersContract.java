package dev.tenure.persistence.membership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.lease.Holder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What every store of members promises. */
abstract class MembersContract {
  protected static final Duration WINDOW = Duration.ofMinutes(5);
  protected static final Holder A = new Holder("tenure@a:1", 11);
  protected static final Holder A_AGAIN = new Holder("tenure@a:1", 12);
  protected static final Holder B = new Holder("tenure@b:1", 21);
  protected static final Holder C = new Holder("tenure@c:1", 31);

  /** A store without members. */
  protected abstract Members members();

  protected static Formation look(Members members, Holder self) {
    return new Newcomer(members, self, WINDOW, System::nanoTime).look();
  }

  @Test
  void theFirstFoundsAndTheSecondJoins() {
    Members members = members();

    assertThat(look(members, A))
        .isEqualTo(new Formation.Found(1, Formation.Reason.NO_OTHER_MEMBER));
    assertThat(look(members, B)).isEqualTo(new Formation.Join(1, List.of(A.node())));
    assertThat(members.joined(B, 1)).isEqualTo(new Standing.Current());
    assertThat(look(members, C)).isEqualTo(new Formation.Join(1, List.of(A.node(), B.node())));
  }

  @Test
  void aFoundingWhoseAnswerWasLostIsNotDoneTwice() {
    Members members = members();
    look(members, A);

    assertThat(look(members, A))
        .isEqualTo(new Formation.Found(1, Formation.Reason.ALREADY_FOUNDED));
    assertThat(members.roster().generation()).isEqualTo(1);
  }

  @Test
  void aNodeRestartedAtItsAddressRejoins() {
    Members members = members();
    look(members, A);
    look(members, B);
    members.joined(B, 1);

    assertThat(look(members, A_AGAIN)).isEqualTo(new Formation.Join(1, List.of(B.node())));
    assertThat(members.beat(A, 1, Duration.ZERO)).isEqualTo(new Standing.Superseded(1));
    assertThat(members.joined(A_AGAIN, 1)).isEqualTo(new Standing.Current());
    assertThat(members.beat(A_AGAIN, 1, Duration.ZERO)).isEqualTo(new Standing.Current());
  }

  @Test
  void whatANodeHasStandsInItsRowUntilAnotherProcessTakesItsAddress() {
    Members members = members();
    look(members, A);
    assertThat(code(members)).isEmpty();
    members.deploys(A, DeployedCodeTest.SHOP);
    members.beat(A, 1, Duration.ZERO);
    look(members, A);
    assertThat(code(members)).contains(DeployedCodeTest.SHOP);

    members.deploys(B, DeployedCode.NONE);
    members.deploys(A_AGAIN, DeployedCode.NONE);
    assertThat(code(members)).contains(DeployedCodeTest.SHOP);
    look(members, A_AGAIN);
    assertThat(code(members)).isEmpty();
  }

  private static Optional<DeployedCode> code(Members members) {
    assertThat(members.roster().rows()).hasSize(1);
    return members.roster().rows().getFirst().code();
  }

  @Test
  void aFullRestartAtTheSameAddressesFoundsOneCluster() {
    Members members = members();
    look(members, A);
    look(members, B);
    members.joined(B, 1);
    Holder bAgain = new Holder(B.node(), 22);

    // As long as the other one may be alive, it is joined, not replaced.
    assertThat(look(members, A_AGAIN)).isInstanceOf(Formation.Join.class);
    assertThat(look(members, bAgain))
        .isEqualTo(new Formation.Found(2, Formation.Reason.NO_OTHER_MEMBER));
    assertThat(look(members, A_AGAIN)).isEqualTo(new Formation.Join(2, List.of(B.node())));
  }

  @Test
  void aSupersededMemberLearnsItAtItsNextSignOfLife() {
    Members members = members();
    look(members, A);
    members.seek(B, roster -> new Formation.Found(2, Formation.Reason.ALL_SILENT));

    assertThat(members.beat(A, 1, Duration.ZERO)).isEqualTo(new Standing.Superseded(2));
    assertThat(members.beat(B, 2, Duration.ZERO)).isEqualTo(new Standing.Current());
  }

  @Test
  void whoJoinedASupersededClusterIsTold() {
    Members members = members();
    look(members, A);
    look(members, C);
    members.seek(B, roster -> new Formation.Found(2, Formation.Reason.ALL_SILENT));

    assertThat(members.joined(C, 1)).isEqualTo(new Standing.Superseded(2));
  }

  @Test
  void whoLeftIsNotThereAnyMore() {
    Members members = members();
    look(members, A);
    members.leave(A_AGAIN); // another process: nothing happens
    assertThat(members.roster().rows()).hasSize(1);

    members.leave(A);

    assertThat(members.roster().rows()).isEmpty();
    assertThat(look(members, B))
        .isEqualTo(new Formation.Found(2, Formation.Reason.NO_OTHER_MEMBER));
  }

  @Test
  void ofTwoThatRemovedEachOtherOneRemains() {
    Members members = members();
    look(members, A);
    look(members, B);
    members.joined(B, 1);

    assertThat(members.forget(A, 1, List.of(B))).isEqualTo(new Standing.Current());
    assertThat(members.forget(B, 1, List.of(A))).isEqualTo(new Standing.Superseded(1));

    assertThat(members.beat(A, 1, Duration.ZERO)).isEqualTo(new Standing.Current());
    assertThat(members.beat(B, 1, Duration.ZERO)).isEqualTo(new Standing.Superseded(1));
  }

  @Test
  void everySignOfLifeChangesTheRow() {
    Members members = members();
    look(members, A);
    long before = members.roster().rows().getFirst().beats();
    members.beat(A, 1, Duration.ZERO);

    assertThat(members.roster().rows().getFirst().beats()).isGreaterThan(before);
  }

  @Test
  void theBeatsAreThoseOfTheMembersOfTheNewestCluster() {
    Members members = members();
    assertThat(members.beats()).isEmpty();
    look(members, A);
    look(members, B); // announced, and no member yet
    long before = members.beats().get(A);
    members.beat(A, 1, Duration.ZERO);
    assertThat(members.beats()).containsOnlyKeys(A).containsEntry(A, before + 1);

    members.joined(B, 1);
    assertThat(members.beats()).containsOnlyKeys(A, B);
    members.seek(C, roster -> new Formation.Found(2, Formation.Reason.ALL_SILENT));
    assertThat(members.beats()).containsOnlyKeys(C);
  }
}
