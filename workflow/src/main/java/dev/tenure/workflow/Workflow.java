package dev.tenure.workflow;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a class as a workflow. It has one public method {@code run(WorkflowContext)} or {@code
 * run(WorkflowContext, I)}; what it returns is the workflow's result.
 *
 * <pre>{@code
 * @Workflow(name = "greeting")
 * public class Greeting {
 *   public String run(WorkflowContext ctx, String name) {
 *     String text = ctx.step("compose", () -> "Hello " + name);
 *     ctx.sleep(Duration.ofDays(1));
 *     ctx.step("send", () -> mail.send(text));
 *     return text;
 *   }
 * }
 * }</pre>
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Workflow {
  /** The name by which clients start, list and signal it. Never changes. */
  String name();

  /** Which version of the code this is; several can be registered at once. */
  int version() default 1;

  /**
   * Versions whose runs this code can go on with, where their own is not registered any more. It
   * has to ask for everything that their code asked for; what it does not becomes an incident.
   */
  int[] compatibleWith() default {};

  /**
   * What becomes of a run whose own code throws an unexpected {@code RuntimeException}. Expected
   * are a {@link WorkflowFailure}, a checked exception that {@code run} declares, and an exception
   * that has one of these or the failure of a step, an activity, a child or a cancellation among
   * its causes.
   */
  OnBug onBug() default OnBug.INCIDENT;
}
