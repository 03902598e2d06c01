package io.isle.faces.shell;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The lowest role that may run a command. {@code scripts/reference} writes the access lists that
 * are shipped, {@code config/org.apache.karaf.command.acl.SCOPE.cfg}, from this annotation; an
 * administrator may edit them.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface RequiredRole {
  Role value();

  /** A sentence for administrators, which the list shows; needed for all but viewers. */
  String reason() default "";
}
