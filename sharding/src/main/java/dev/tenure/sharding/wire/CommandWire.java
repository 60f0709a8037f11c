package dev.tenure.sharding.wire;

import dev.tenure.persistence.codec.BinaryReader;
import dev.tenure.persistence.codec.BinaryWriter;
import dev.tenure.persistence.codec.EventCodec;
import dev.tenure.persistence.codec.OutcomeCodec;
import dev.tenure.persistence.codec.RunCodec;
import dev.tenure.persistence.codec.SpecCodec;
import dev.tenure.workflow.StartPolicy;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.operation.AttemptRef;
import dev.tenure.workflow.operation.MessageGuid;
import java.util.Optional;

/** The commands that another node may send. */
public final class CommandWire {
  private CommandWire() {}

  public static void write(BinaryWriter out, Command command) {
    out.byteOf(kind(command));
    int record = out.begin();
    switch (command) {
      case Command.StartWorkflow c -> {
        RunCodec.start(out, c.start());
        // Added later, and only written where it says something: see the golden file.
        if (c.policy() != StartPolicy.REJECT_DUPLICATE) SpecCodec.startPolicy(out, c.policy());
      }
      case Command.Cancel c -> {
        out.text(c.reason());
        if (c.child().isPresent()) out.text(c.child().get().value());
      }
      case Command.Terminate c -> {
        out.text(c.reason());
        if (c.child().isPresent()) out.text(c.child().get().value());
      }
      case Command.Pause c -> out.text(c.reason());
      case Command.Resume c -> {}
      case Command.ResolveIncident c -> out.text(c.note());
      case Command.Update c -> {
        out.text(c.updateId());
        out.text(c.name());
        OutcomeCodec.payload(out, c.payload());
      }
      case Command.ChildEnded c -> {
        OutcomeCodec.operation(out, c.operation());
        OutcomeCodec.outcome(out, c.outcome());
        out.optional(c.started(), (o, guid) -> o.text(guid.value()));
      }
      case Command.MoveToVersion c -> {
        out.number(c.version());
        out.text(c.note());
      }
      case Command.ChildAcknowledged c -> OutcomeCodec.operation(out, c.operation());
      case Command.MessageAcknowledged c -> {
        OutcomeCodec.operation(out, c.operation());
        OutcomeCodec.outcome(out, c.outcome());
      }
      case Command.AttemptEnded c -> {
        OutcomeCodec.operation(out, c.operation());
        out.number(c.attempt());
        OutcomeCodec.outcome(out, c.outcome());
      }
      case Command.Retry c -> {
        attempt(out, c.meant());
        out.text(c.note());
      }
      case Command.Conclude c -> {
        attempt(out, c.meant());
        OutcomeCodec.outcome(out, c.outcome());
        out.text(c.note());
      }
      case Command.ForkWorkflow c -> out.all(c.events(), EventCodec::write);
      case Command.OfOwner c -> throw ownersOwn(c);
    }
    out.end(record);
  }

  private static void attempt(BinaryWriter out, AttemptRef attempt) {
    out.text(attempt.runId());
    OutcomeCodec.operation(out, attempt.operation());
    out.number(attempt.attempt());
  }

  private static AttemptRef attempt(BinaryReader in) {
    return new AttemptRef(in.text(), OutcomeCodec.operation(in), in.smallNumber());
  }

  private static int kind(Command command) {
    return switch (command) {
      case Command.StartWorkflow c -> 1;
      case Command.Cancel c -> 2;
      case Command.Terminate c -> 3;
      case Command.Pause c -> 4;
      case Command.Resume c -> 5;
      case Command.ResolveIncident c -> 6;
      case Command.Update c -> 7;
      case Command.ChildEnded c -> 8;
      case Command.ChildAcknowledged c -> 9;
      case Command.MessageAcknowledged c -> 10;
      case Command.AttemptEnded c -> 11;
      case Command.MoveToVersion c -> 12;
      case Command.Retry c -> 30;
      case Command.ForkWorkflow c -> 31;
      case Command.Conclude c -> 32;
      case Command.OfOwner c -> throw ownersOwn(c);
    };
  }

  /** Only the owner itself knows what such a command says, so no other node may send one. */
  private static IllegalArgumentException ownersOwn(Command.OfOwner command) {
    return new IllegalArgumentException(
        "Only a workflow's owner gives the command "
            + command.getClass().getSimpleName()
            + ", and only to itself: it does not travel.");
  }

  private static Optional<MessageGuid> guid(BinaryReader in) {
    return in.hasMore() ? Optional.of(new MessageGuid(in.text())) : Optional.empty();
  }

  public static Command read(BinaryReader in) {
    int kind = in.byteOf();
    int outer = in.begin();
    Command command =
        switch (kind) {
          case 1 ->
              new Command.StartWorkflow(
                  RunCodec.start(in),
                  in.hasMore() ? SpecCodec.startPolicy(in) : StartPolicy.REJECT_DUPLICATE);
          case 2 -> new Command.Cancel(in.text(), guid(in));
          case 3 -> new Command.Terminate(in.text(), guid(in));
          case 4 -> new Command.Pause(in.text());
          case 5 -> new Command.Resume();
          case 6 -> new Command.ResolveIncident(in.text());
          case 7 -> new Command.Update(in.text(), in.text(), OutcomeCodec.payload(in));
          case 8 ->
              new Command.ChildEnded(
                  OutcomeCodec.operation(in),
                  OutcomeCodec.outcome(in),
                  in.hasMore()
                      ? in.optional(each -> new MessageGuid(each.text()))
                      : Optional.empty());
          case 9 -> new Command.ChildAcknowledged(OutcomeCodec.operation(in));
          case 10 ->
              new Command.MessageAcknowledged(OutcomeCodec.operation(in), OutcomeCodec.outcome(in));
          case 11 ->
              new Command.AttemptEnded(
                  OutcomeCodec.operation(in), in.smallNumber(), OutcomeCodec.outcome(in));
          case 12 -> new Command.MoveToVersion(in.smallNumber(), in.text());
          case 30 -> new Command.Retry(attempt(in), in.text());
          case 32 -> new Command.Conclude(attempt(in), OutcomeCodec.outcome(in), in.text());
          case 31 -> new Command.ForkWorkflow(in.all(EventCodec::read));
          default -> throw UnreadableMessageError.unknown("A command", kind);
        };
    in.end(outer);
    return command;
  }
}
