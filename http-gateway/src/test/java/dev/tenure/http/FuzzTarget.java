package dev.tenure.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.tenure.http.access.Caller;
import dev.tenure.http.access.Throttle;
import dev.tenure.http.api.Answer;
import dev.tenure.http.api.Call;
import dev.tenure.http.api.Connection;
import dev.tenure.http.api.Operation;
import dev.tenure.http.fault.ApiFault;
import dev.tenure.http.fault.ErrorCode;
import dev.tenure.http.fault.Faults;
import dev.tenure.http.json.Canonical;
import dev.tenure.http.json.InvalidJsonError;
import dev.tenure.http.json.Json;
import dev.tenure.http.json.JsonReader;
import dev.tenure.http.rpc.RpcDoor;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The ways on which JSON comes in, for a fuzzer that watches which code its bytes reach. The first
 * byte says which way, the rest is what is sent there. Run by {@link CoverageFuzzTest}.
 */
public final class FuzzTarget {
  private static final List<Operation> OPERATIONS = Described.operations();
  private static final ObjectMapper OTHER = new ObjectMapper();
  private static final RpcDoor RPC =
      new RpcDoor(OPERATIONS, JsonNodeFactory.instance.objectNode(), new NobodyHome());

  private FuzzTarget() {}

  /** Carries nothing out, and lets no failure pass that nobody foresaw. */
  private static final class NobodyHome implements RpcDoor.Guard {
    @Override
    public CompletionStage<Answer> perform(Operation operation, Call call) {
      return CompletableFuture.completedStage(Answer.ok(JsonNodeFactory.instance.objectNode()));
    }

    @Override
    public ApiFault fault(Throwable failure) {
      ApiFault fault = foreseen(failure);
      if (fault.code() == ErrorCode.ENGINE_FAILURE) throw new AssertionError(failure);
      return fault;
    }
  }

  private static ApiFault foreseen(Throwable failure) {
    return Faults.of(failure).orElseThrow(() -> new AssertionError("unforeseen", failure));
  }

  /** What Jazzer calls; whatever it throws is a finding. */
  public static void fuzzerTestOneInput(byte[] data) throws IOException {
    if (data.length == 0) return;
    byte[] sent = Arrays.copyOfRange(data, 1, data.length);
    Json json;
    try {
      json = JsonReader.read(sent);
    } catch (InvalidJsonError refused) {
      return;
    }
    int way = Byte.toUnsignedInt(data[0]) % (OPERATIONS.size() + 2);
    switch (way) {
      case 0 -> read(json, sent);
      case 1 -> call(json);
      default -> judge(json, OPERATIONS.get(way - 2));
    }
  }

  /** Another reader finds the same in it, and read again it is the same request. */
  private static void read(Json json, byte[] sent) throws IOException {
    JsonNode there = OTHER.readTree(sent);
    if (!OTHER.readTree(json.at().bytes()).equals(there)) throw new AssertionError("not the same");
    String hash = Canonical.hash(json);
    if (!Canonical.hash(JsonReader.read(json.at().bytes())).equals(hash)) {
      throw new AssertionError("the same twice, and not the same request");
    }
  }

  private static void call(Json json) throws IOException {
    Optional<JsonNode> answer =
        RPC.handle(json, Caller.DEVELOPER, new Call.UnderWay(new Connection(), Throttle.Pass.NONE))
            .toCompletableFuture()
            .join();
    // Ids go back as they came: what is built around them must still be JSON.
    if (answer.isPresent()) OTHER.readTree(OTHER.writeValueAsBytes(answer.get()));
  }

  private static void judge(Json json, Operation operation) {
    if (!(json instanceof Json.Obj(Map<String, Json> fields, Json.Slice at))) return;
    try {
      new Call(Caller.DEVELOPER, operation.checked(fields, "/params"));
    } catch (RuntimeException e) {
      foreseen(e);
    }
  }
}
