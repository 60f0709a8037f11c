package dev.tenure.testkit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/** Instead of {@code @Test}: the test runs on each of these engines. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(OnEachEngine.class)
public @interface OnEngines {
  Engine[] value() default {Engine.IN_MEMORY, Engine.NODE};
}
