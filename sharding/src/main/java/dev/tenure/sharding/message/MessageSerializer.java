package dev.tenure.sharding.message;

import dev.tenure.persistence.codec.BinaryReader;
import dev.tenure.persistence.codec.BinaryWriter;
import dev.tenure.persistence.codec.OutcomeCodec;
import dev.tenure.sharding.wire.CommandWire;
import dev.tenure.sharding.wire.Frame;
import dev.tenure.sharding.wire.ReplyWire;
import dev.tenure.sharding.wire.UnreadableMessageError;
import java.util.Optional;
import java.util.function.Function;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.typed.ActorRefResolver;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.serialization.SerializerWithStringManifest;

/** Messages to a workflow's owner, and its answers, between nodes. */
public final class MessageSerializer extends SerializerWithStringManifest {
  /** The same on all nodes of a cluster, and through all releases. */
  static final int IDENTIFIER = 740_002;

  private static final String MESSAGE = "m";
  private static final String ANSWER = "a";

  /** Turns the receiver of an answer into an address that other nodes can use, and back. */
  interface Addresses {
    String of(ReplyTo replyTo);

    ReplyTo replyTo(String address);
  }

  private final Addresses addresses;

  public MessageSerializer(ExtendedActorSystem system) {
    // Resolved with the first message: Pekko makes this object while the actor system still starts.
    this(
        new Addresses() {
          @Override
          public String of(ReplyTo replyTo) {
            if (replyTo instanceof ClusterTransport.Remote(var actor))
              return resolver().toSerializationFormat(actor);
            if (replyTo instanceof LocalAsks.Ask here)
              return resolver()
                  .toSerializationFormat(ClusterTransport.address(Adapter.toTyped(system), here));
            throw new IllegalArgumentException(replyTo + " cannot be answered from another node.");
          }

          @Override
          public ReplyTo replyTo(String address) {
            return new ClusterTransport.Remote(resolver().resolveActorRef(address));
          }

          private ActorRefResolver resolver() {
            return ActorRefResolver.get(Adapter.toTyped(system));
          }
        });
  }

  public MessageSerializer(Addresses addresses) {
    this.addresses = addresses;
  }

  @Override
  public int identifier() {
    return IDENTIFIER;
  }

  @Override
  public String manifest(Object object) {
    return object instanceof Message ? MESSAGE : ANSWER;
  }

  @Override
  public byte[] toBinary(Object object) {
    return object instanceof Message message ? message(message) : AnswerWire.write((Answer) object);
  }

  @Override
  public Object fromBinary(byte[] bytes, String manifest) {
    return switch (manifest) {
      case MESSAGE -> Frame.read("A message to a workflow", bytes, this::message);
      case ANSWER -> AnswerWire.read(bytes);
      default ->
          throw new IllegalArgumentException("The manifest \"" + manifest + "\" is unknown here.");
    };
  }

  private byte[] message(Message message) {
    return switch (message) {
      case Message.Tell(var command, var replyTo) ->
          asked(1, replyTo, out -> CommandWire.write(out, command));
      case Message.Query(var inquiry, var replyTo) ->
          asked(2, replyTo, out -> ReplyWire.inquiry(out, inquiry));
      case Message.Describe(var about, var replyTo) ->
          asked(3, replyTo, out -> out.optional(about, OutcomeCodec::operation));
      case Message.AwaitEnd(var runId, var replyTo) ->
          asked(4, replyTo, out -> out.optional(runId, BinaryWriter::text));
      case Message.AwaitUpdate(String updateId, var replyTo) ->
          asked(5, replyTo, out -> out.text(updateId));
      case Message.WakeUp wake -> Frame.write(6, out -> {});
      case Message.Stop stop -> Frame.write(7, out -> {});
      case Message.Advanced m -> throw stays(m);
      case Message.Ahead m -> throw stays(m);
      case Message.Broken m -> throw stays(m);
      case Message.Queried m -> throw stays(m);
      case Message.Collect m -> throw stays(m);
      case Message.PastRead m -> throw stays(m);
      case Message.ProgramRead m -> throw stays(m);
      case Message.GoOn m -> throw stays(m);
      case Message.Due m -> throw stays(m);
      case Message.Overdue m -> throw stays(m);
      case Message.Idle m -> throw stays(m);
      case Message.InboxPage m -> throw stays(m);
      case Message.Signalled m -> throw stays(m);
      case Message.Stored m -> throw stays(m);
      case Message.Own m -> throw stays(m);
    };
  }

  private byte[] asked(
      int kind, ReplyTo replyTo, java.util.function.Consumer<BinaryWriter> fields) {
    return Frame.write(
        kind,
        out -> {
          out.text(addresses.of(replyTo));
          fields.accept(out);
        });
  }

  private static IllegalArgumentException stays(Message message) {
    return new IllegalArgumentException(
        message.getClass().getSimpleName()
            + " is an owner's message to itself: it does not travel.");
  }

  private Message message(int kind, BinaryReader in) {
    return switch (kind) {
      case 1 -> asked(in, replyTo -> new Message.Tell(CommandWire.read(in), replyTo));
      case 2 -> asked(in, replyTo -> new Message.Query(ReplyWire.inquiry(in), replyTo));
      case 3 ->
          asked(in, replyTo -> new Message.Describe(in.optional(OutcomeCodec::operation), replyTo));
      case 4 ->
          asked(
              in,
              replyTo ->
                  new Message.AwaitEnd(
                      in.hasMore() ? in.optional(BinaryReader::text) : Optional.empty(), replyTo));
      case 5 -> asked(in, replyTo -> new Message.AwaitUpdate(in.text(), replyTo));
      case 6 -> Message.WakeUp.WAKE_UP;
      case 7 -> Message.Stop.STOP;
      default -> throw UnreadableMessageError.unknown("A message to a workflow", kind);
    };
  }

  private Message asked(BinaryReader in, Function<ReplyTo, Message> message) {
    return message.apply(addresses.replyTo(in.text()));
  }
}
