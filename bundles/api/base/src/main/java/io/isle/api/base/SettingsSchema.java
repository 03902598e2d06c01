package io.isle.api.base;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the constant with the settings of a service, of the devices of a Java driver, or of a kind
 * of apps of nets: a static final field of the type {@code List<Setting>}. The reference of all
 * settings and the check of the shipped files find the constant in the compiled bundles by this
 * annotation. Exactly one element has a value.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.FIELD)
public @interface SettingsSchema {
  /** PID of the service, also the name of its file without {@code .cfg}. */
  String pid() default "";

  /** Name of the driver. */
  String driver() default "";

  /** Kind of apps. */
  String app() default "";
}
