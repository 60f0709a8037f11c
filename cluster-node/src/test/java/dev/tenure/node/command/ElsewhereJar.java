package dev.tenure.node.command;

import dev.tenure.workflow.WorkflowModule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** A JAR with a workflow whose classes are nowhere else. */
final class ElsewhereJar {
  private static final String SOURCE =
      """
      package elsewhere;

      import dev.tenure.workflow.*;
      import java.util.*;

      @Workflow(name = "shipping")
      public class Shipping {
        public record Part(int number) {}

        public record Label(String text, List<Part> parts) {}

        public static class NoPaper extends RuntimeException {
          public NoPaper(String message) {
            super(message);
          }
        }

        public static class Module implements WorkflowModule {
          public void register(Registry registry) {
            registry.workflow(Shipping.class);
          }
        }

        private static String loader() {
          ClassLoader mine = Shipping.class.getClassLoader();
          return Thread.currentThread().getContextClassLoader() == mine ? "own" : "other";
        }

        public String run(WorkflowContext ctx, Part first) {
          Label label = ctx.step("label", () -> new Label("to Ann", List.of(first)));
          String inStep = ctx.step("where", () -> loader());
          List<Label> more = ctx.stepAsync("more", StepOptions.DEFAULT, () -> List.of(label)).get();
          String beside = ctx.stepAsync("beside", StepOptions.DEFAULT, () -> loader()).get();
          String caught = "nothing";
          try {
            ctx.step("print", StepOptions.retry(RetryPolicy.NONE), () -> {
              throw new NoPaper("none left");
            });
          } catch (NoPaper e) {
            caught = e.getMessage();
          }
          ctx.awaitSignal("go", String.class);
          return label.equals(more.get(0)) + " " + loader() + " " + inStep + " " + beside + " " + caught;
        }
      }
      """;

  private ElsewhereJar() {}

  /** Compiles it and packs it. */
  static Path in(Path folder) {
    try {
      Path source = Files.writeString(folder.resolve("Shipping.java"), SOURCE);
      Path classes = Files.createDirectory(folder.resolve("classes"));
      int status =
          ToolProvider.getSystemJavaCompiler()
              .run(
                  null,
                  null,
                  null,
                  "-cp",
                  System.getProperty("java.class.path"),
                  "-parameters",
                  "-d",
                  classes.toString(),
                  source.toString());
      if (status != 0) throw new IllegalStateException("it does not compile");
      return pack(classes, folder.resolve("shipping.jar"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path pack(Path classes, Path file) throws IOException {
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file));
        Stream<Path> all = Files.walk(classes)) {
      for (Path one : (Iterable<Path>) all.filter(Files::isRegularFile)::iterator) {
        jar.putNextEntry(new JarEntry(classes.relativize(one).toString().replace('\\', '/')));
        jar.write(Files.readAllBytes(one));
      }
      jar.putNextEntry(new JarEntry("META-INF/services/" + WorkflowModule.class.getName()));
      jar.write("elsewhere.Shipping$Module".getBytes(StandardCharsets.UTF_8));
    }
    return file;
  }

  /** The workflow, by a loader of its own. */
  static Class<?> load(Path jar) {
    try {
      URL[] urls = {jar.toUri().toURL()};
      return new URLClassLoader(urls, ElsewhereJar.class.getClassLoader())
          .loadClass("elsewhere.Shipping");
    } catch (IOException | ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }
}
