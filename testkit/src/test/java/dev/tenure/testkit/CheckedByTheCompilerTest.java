package dev.tenure.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What fits compiles, and the same with a wrong type does not. */
class CheckedByTheCompilerTest {
  @TempDir private Path classes;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "return ctx.continueAsNew(Counting::run, 5L);         | return"
            + " ctx.continueAsNew(Counting::run, \"5\");",
        "return ctx.child(Counting::run, \"c\", 5L);          | return ctx.child(Counting::run,"
            + " \"c\", \"5\");",
        "return ctx.childAsync(Counting::run, \"c\", 5L).get(); | String s ="
            + " ctx.childAsync(Counting::run, \"c\", 5L).get(); return s;",
        "return ctx.awaitSignal(MORE);                        | String s = ctx.awaitSignal(MORE);"
            + " return 5L;",
        "ctx.signalWorkflow(OTHER, MORE, 5L); return 5L;      | ctx.signalWorkflow(OTHER, MORE,"
            + " \"5\"); return 5L;",
        "ctx.onQuery(SUM, () -> 5L); return 5L;               | ctx.onQuery(SUM, () -> \"5\");"
            + " return 5L;",
        "ctx.onUpdate(ADD, n -> n + 1); return 5L;            | ctx.onUpdate(ADD, n -> n.trim());"
            + " return 5L;",
      })
  void aWrongTypeDoesNotCompile(String right, String wrong) {
    assertThat(errors(right)).isEmpty();
    assertThat(errors(wrong)).isNotEmpty();
  }

  private List<String> errors(String body) {
    String source =
        """
        import dev.tenure.workflow.*;
        @Workflow(name = "counting")
        public class Counting {
          static final SignalDefinition<Long> MORE = SignalDefinition.of("more", Long.class);
          static final QueryDefinition<Void, Long> SUM = QueryDefinition.of("sum", Long.class);
          static final UpdateDefinition<Long, Long> ADD =
              UpdateDefinition.of("add", Long.class, Long.class);
          static final WorkflowId OTHER = WorkflowId.of("other");
          public Long run(WorkflowContext ctx, Long from) {
            %s
          }
        }
        """
            .formatted(body);
    JavaFileObject file =
        new SimpleJavaFileObject(URI.create("mem:///Counting.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
          }
        };
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    List<String> options =
        List.of(
            "-d", classes.toString(), "-cp", System.getProperty("java.class.path"), "-proc:none");
    compiler.getTask(new StringWriter(), null, found, options, null, List.of(file)).call();
    return found.getDiagnostics().stream()
        .filter(one -> one.getKind() == javax.tools.Diagnostic.Kind.ERROR)
        .map(Object::toString)
        .toList();
  }
}
