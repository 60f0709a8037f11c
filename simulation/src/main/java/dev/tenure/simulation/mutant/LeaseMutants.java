package dev.tenure.simulation.mutant;

import static dev.tenure.simulation.mutant.Operator.NEGATES_CALL;
import static dev.tenure.simulation.mutant.Operator.RETURNS_AT_ONCE;
import static dev.tenure.simulation.mutant.Operator.SKIPS_ASSIGNMENT;
import static dev.tenure.simulation.mutant.Operator.SKIPS_CALL;

import java.util.List;

/** In what keeps the leases of a node, and in who may take one. */
final class LeaseMutants {
  private static final String KEEPER = "sharding.lease.LeaseKeeper";
  private static final String TAKEOVER = "persistence.lease.Takeover";

  static final List<Mutant> ALL =
      List.of(
          new Mutant(
                  "LEASE_KEPT_FOR_EVER",
                  "a node without its database does not give up what it cannot renew",
                  KEEPER,
                  "expire",
                  SKIPS_CALL,
                  "lose",
                  "I15")
              .always(),
          new Mutant(
                  "LOSS_NOT_TAKEN",
                  "a beat says that a shard is lost, and the node holds on to it",
                  KEEPER,
                  "beat",
                  SKIPS_CALL,
                  "lose",
                  "I15")
              .often(),
          new Mutant(
                  "BEAT_IN_VAIN",
                  "a beat that went through does not count",
                  KEEPER,
                  "beat",
                  SKIPS_ASSIGNMENT,
                  "trustedUntil",
                  "I20")
              .often(),
          new Mutant(
                  "LEFT_OVER_LEASE",
                  "a node beats for a shard that it gave up, and nobody else can have it",
                  KEEPER,
                  "giveBackUnheld",
                  RETURNS_AT_ONCE,
                  "",
                  "I20")
              .always(),
          new Mutant(
                  "CLAIM_LEFT_BEHIND",
                  "later claims wait for one that was given up",
                  KEEPER,
                  "again",
                  SKIPS_CALL,
                  "remove",
                  "I20")
              .mostly(),
          new Mutant(
                  "CLAIM_NOT_REPEATED",
                  "a claim that was refused is not made again",
                  KEEPER,
                  "again",
                  SKIPS_CALL,
                  "later",
                  "I20")
              .often(),
          new Mutant(
                  "LEASE_TAKEN_EARLY",
                  "a lease is taken that has not run out",
                  TAKEOVER,
                  "decide",
                  NEGATES_CALL,
                  "isBefore",
                  "I15")
              .often());

  private LeaseMutants() {}
}
