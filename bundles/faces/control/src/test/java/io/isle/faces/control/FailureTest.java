package io.isle.faces.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class FailureTest {
  private static final Failure RESET = new Failure(2, "Command not found: test:reset");
  private static final Predicate<String> ONLY_RESET = "test:reset"::equals;

  @Test
  void aCommandThatTheRoleMayNotRunIsNamedSo() {
    Failure refusal = RESET.orRefusal(Role.VIEWER, ONLY_RESET);
    assertEquals(1, refusal.exitCode());
    assertTrue(refusal.message().startsWith("test:reset: the role viewer may not run it"));
  }

  @Test
  void aCommandThatIsNotThereStaysSo() {
    assertSame(RESET, RESET.orRefusal(Role.VIEWER, name -> false));
    assertSame(RESET, RESET.orRefusal(Role.ADMIN, ONLY_RESET));
    Failure other = new Failure(1, "broken");
    assertSame(other, other.orRefusal(Role.VIEWER, ONLY_RESET));
  }
}
