package io.isle.karaf.agent;

import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import javax.security.auth.Subject;

/** Entry point of the Java agent: installs {@link KarafTransformer} before Karaf starts. */
public final class KarafAgent {
  private KarafAgent() {}

  /**
   * Called by the JVM before {@code main}.
   *
   * @throws UnmodifiableClassException if the JVM does not let {@link Subject} be changed; the JVM
   *     then ends, because a platform without role checks must not start
   */
  public static void premain(String arguments, Instrumentation instrumentation)
      throws UnmodifiableClassException {
    instrumentation.addTransformer(new KarafTransformer(), true);
    instrumentation.retransformClasses(Subject.class);
  }
}
