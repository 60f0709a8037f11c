package dev.tenure.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.http.access.ApiKeys;
import java.io.IOException;
import java.net.URI;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The description of the API is good enough for a public generator: it makes a client of what a
 * real node serves, which compiles, and works against that node. Nothing of it is kept.
 */
class GeneratedClientTest {
  private static final String KEY = "a-key-of-more-than-thirty-two-characters";
  private static final Path BUILD = Path.of(System.getProperty("tenure.build"));
  private static final Path SMOKE =
      BUILD.resolve("../src/generated/java/dev/tenure/generated/Smoke.java").normalize();
  private static final Duration GENERATION_TIME_MAX = Duration.ofMinutes(2);

  @TempDir Path folder;

  @Test
  void aClientFromAPublicGeneratorCompilesAndWorks() throws Exception {
    Path keys =
        Files.writeString(
            folder.resolve("keys.json"),
            "{\"keys\":[{\"name\":\"op\",\"sha256\":\"%s\",\"scopes\":[\"admin\"]}]}"
                .formatted(ApiKeys.hashOf(KEY)));
    try (RealNode node =
        RealNode.start(builder -> builder.setting("tenure.http.api-keys-file", keys.toString()))) {
      Path document = Files.writeString(folder.resolve("openapi.json"), document(node.uri()));
      Path sources = folder.resolve("generated");
      generate(document, sources);
      Path classes = compile(sources);
      try (URLClassLoader loader =
          new URLClassLoader(
              new java.net.URL[] {classes.toUri().toURL()}, getClass().getClassLoader())) {
        loader
            .loadClass("dev.tenure.generated.Smoke")
            .getMethod("run", String.class, String.class)
            .invoke(null, node.uri().toString(), KEY);
      }
    }
  }

  private static String document(URI node) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(node.resolve("/api/openapi.json"))
            .header("Authorization", "Bearer " + KEY)
            .build();
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(200);
      return answer.body();
    }
  }

  /** As a process of its own: it carries libraries of every kind, in versions of its own. */
  private void generate(Path document, Path sources) throws Exception {
    Path said = folder.resolve("generator.log");
    Process generator =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-jar",
                System.getProperty("tenure.openapi-generator"),
                "generate",
                "--input-spec=" + document,
                "--generator-name=java",
                "--library=native",
                "--output=" + sources,
                "--global-property=apis,models,supportingFiles,apiDocs=false,modelDocs=false,"
                    + "apiTests=false,modelTests=false",
                "--additional-properties=invokerPackage=dev.tenure.generated,"
                    + "apiPackage=dev.tenure.generated.api,modelPackage=dev.tenure.generated.model,"
                    + "openApiNullable=false,useJakartaEe=true,hideGenerationTimestamp=true")
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    try {
      boolean ended = generator.waitFor(GENERATION_TIME_MAX.toSeconds(), TimeUnit.SECONDS);
      String log = Files.readString(said);
      assertThat(ended).as(log).isTrue();
      assertThat(generator.exitValue()).as(log).isZero();
      // What the generator did not understand it leaves out, and says so in passing.
      assertThat(log.lines().filter(line -> line.contains("WARN")))
          .allMatch(line -> line.contains("OpenAPI 3.1 support is still in beta"));
    } finally {
      generator.destroyForcibly();
    }
  }

  private Path compile(Path sources) throws IOException {
    Path classes = folder.resolve("classes");
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "-d",
                classes.toString(),
                "-nowarn",
                "-proc:none",
                "-cp",
                System.getProperty("java.class.path")));
    try (Stream<Path> files = Files.walk(sources.resolve("src/main/java"))) {
      files.filter(file -> file.toString().endsWith(".java")).forEach(f -> arguments.add("" + f));
    }
    arguments.add(SMOKE.toString());
    java.io.ByteArrayOutputStream said = new java.io.ByteArrayOutputStream();
    int exit =
        ToolProvider.getSystemJavaCompiler()
            .run(null, said, said, arguments.toArray(String[]::new));
    assertThat(exit).as(said.toString()).isZero();
    return classes;
  }
}
