package io.isle.itests;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * A class of tests that measures time: it runs after the others, with no test beside it. A class of
 * JUnit 4 has it as its category.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("io.isle.itests.Alone")
public @interface Alone {
  /** Which measure the load of other tests would change. */
  String value() default "";
}
