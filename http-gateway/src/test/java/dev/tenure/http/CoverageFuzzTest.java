package dev.tenure.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.http.json.InvalidJsonError;
import dev.tenure.http.json.Json;
import dev.tenure.http.json.JsonReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jazzer on what takes JSON in, in a process of its own: it changes every class that it loads.
 * {@link FuzzTest} changes documents blindly; this one keeps what reached new code. Runs for {@code
 * -Dtenure.fuzz.seconds}.
 */
class CoverageFuzzTest {
  private static final int SEED = 20_260_301;

  /** Some seconds' worth; counted, so that the same is tried on a slow machine. */
  private static final int TRIES = Integer.getInteger("tenure.fuzz.tries", 40_000);

  /** A machine that is too busy for that many has tried some after this. */
  private static final int SECONDS_MAX = 60;

  private static final int UNBOUNDED = -1;
  private static final Duration END_TIME_MAX = Duration.ofMinutes(5);

  /** What Jazzer ends with when it found something. */
  private static final int FOUND = 77;

  private static final Pattern DONE = Pattern.compile("Done (\\d+) runs");

  /** The first byte is the way; see {@link FuzzTarget}. */
  private static final List<String> CORPUS =
      List.of(
          "\0[{\"a\":\"\\ud83d\\ude00\\u0000\"},[],{},9223372036854775807,-0.0,1e-30,null,true]",
          "\1{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tenure.workflows.start\",\"params\":{\"type\":\"a\"}}",
          "\1[{\"jsonrpc\":\"2.0\",\"method\":\"rpc.discover\"},{\"id\":\"x\"},1]",
          "\2{\"type\":\"basket\",\"version\":1,\"id\":\"a:b\",\"input\":{},\"executionTimeout\":\"PT1S\"}",
          "\3{\"type\":\"a\",\"id\":\"b\",\"signal\":{\"name\":\"n\",\"signalId\":\"s\",\"payload\":[]}}",
          "\4{\"attributes\":{\"a\":[\"b\"],\"c\":1},\"startedFrom\":\"2026-01-01T00:00:00Z\"}");

  @TempDir Path folder;

  private record Ran(int exit, String output) {}

  @Test
  void noJsonReachesAFailureThatNobodyForesaw() throws Exception {
    Ran ran = fuzz(FuzzTarget.class, CORPUS, TRIES, SECONDS_MAX);
    assertThat(ran.exit).as(ran.output).isZero();
    Matcher done = DONE.matcher(ran.output);
    assertThat(done.find()).as(ran.output).isTrue();
    assertThat(Integer.parseInt(done.group(1))).as("tries").isPositive();
  }

  /** A flaw that only what is still JSON, and of a certain kind, can reach. */
  public static final class PlantedFlaw {
    private PlantedFlaw() {}

    /** What Jazzer calls. */
    public static void fuzzerTestOneInput(byte[] data) {
      try {
        Json json =
            JsonReader.read(Arrays.copyOfRange(data, Math.min(1, data.length), data.length));
        if (json instanceof Json.Obj(var fields, Json.Slice at)
            && fields.get("version") instanceof Json.Num(String literal, Json.Slice there)
            && !literal.equals("1")) {
          throw new AssertionError("the planted flaw");
        }
      } catch (InvalidJsonError refused) {
        return;
      }
    }
  }

  @Test
  void aPlantedFlawIsFound() throws Exception {
    Ran ran = fuzz(PlantedFlaw.class, CORPUS.subList(3, 4), UNBOUNDED, 3 * SECONDS_MAX);
    assertThat(ran.exit).as(ran.output).isEqualTo(FOUND);
    assertThat(ran.output).contains("the planted flaw");
  }

  private Ran fuzz(Class<?> target, List<String> known, int tries, int seconds)
      throws IOException, InterruptedException {
    Path corpus = Files.createDirectory(folder.resolve("corpus"));
    for (int i = 0; i < known.size(); i++) {
      Files.write(corpus.resolve("" + i), known.get(i).getBytes(StandardCharsets.UTF_8));
    }
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx384m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:+EnableDynamicAgentLoading",
                "-cp",
                System.getProperty("tenure.fuzzer") + ":" + System.getProperty("java.class.path"),
                "com.code_intelligence.jazzer.Jazzer",
                "--target_class=" + target.getName(),
                "--instrumentation_includes=dev.tenure.http.**",
                "--reproducer_path=" + folder,
                "-artifact_prefix=" + folder + "/",
                "-seed=" + SEED,
                "-runs=" + tries,
                "-max_total_time=" + seconds,
                "-timeout=30",
                corpus.toString()));
    Path said = folder.resolve("jazzer.log");
    Process jazzer =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    try {
      boolean ended = jazzer.waitFor(END_TIME_MAX.toSeconds(), TimeUnit.SECONDS);
      String output = Files.readString(said, StandardCharsets.ISO_8859_1);
      assertThat(ended).as(output).isTrue();
      return new Ran(jazzer.exitValue(), output);
    } finally {
      jazzer.destroyForcibly();
    }
  }
}
