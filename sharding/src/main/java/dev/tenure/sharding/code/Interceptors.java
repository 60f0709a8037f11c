package dev.tenure.sharding.code;

import dev.tenure.workflow.StepBody;
import dev.tenure.workflow.StepInterceptor;
import java.util.List;
import java.util.function.Supplier;

/** The interceptors around the code of steps and activities, the outermost first. */
public record Interceptors(List<StepInterceptor> all) {
  public static final Interceptors NONE = new Interceptors(List.of());

  public Interceptors {
    all = List.copyOf(all);
  }

  /** Puts all interceptors around the body. */
  public <T> StepBody<T, ?> around(Supplier<StepInterceptor.Call> call, StepBody<T, ?> body) {
    if (all.isEmpty()) return body;
    return () -> intercepted(call.get(), body);
  }

  private <T> T intercepted(StepInterceptor.Call call, StepBody<T, ?> body) throws Exception {
    StepBody<T, Exception> whole = body::run;
    for (StepInterceptor one : all.reversed()) {
      StepBody<T, Exception> inner = whole;
      whole = () -> one.intercept(call, inner);
    }
    return whole.run();
  }
}
