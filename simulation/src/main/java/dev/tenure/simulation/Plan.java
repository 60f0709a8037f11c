package dev.tenure.simulation;

import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.workflow.Payload;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * A life, as the decisions that were drawn for it: programs are data, all else is a sequence for
 * each place that draws. A place that is new since then draws 0, which is what happens mostly.
 *
 * @param seed of what does not draw: which steps fail
 * @param programs by the id of the workflow that begins with them
 * @param draws by place, the draws that are not 0 by their number
 */
public record Plan(
    long seed, String found, Map<String, Program> programs, Map<String, Map<Integer, Long>> draws) {
  private static final PayloadCodec CODEC = PayloadCodec.standard();

  public String toJson() {
    return PayloadCodec.jsonOf(CODEC.write(this, Plan.class, "the plan"));
  }

  public static Plan of(String json) {
    Payload payload = Payload.of(json.getBytes(StandardCharsets.UTF_8));
    return (Plan) CODEC.read(payload, Plan.class, "the plan");
  }
}
