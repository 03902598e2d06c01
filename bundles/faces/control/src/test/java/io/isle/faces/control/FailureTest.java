package io.isle.faces.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.karaf.shell.api.console.Registry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FailureTest {
  private final TestShell shell = new TestShell();
  private final Failure reset = new Failure(2, "Command not found: test:reset");

  @AfterEach
  void close() {
    shell.close();
  }

  @Test
  void aCommandThatTheRoleMayNotRunIsNamedSo() {
    shell.command("reset", (session, arguments) -> null);
    Failure refusal = reset.orRefusal(Role.VIEWER, registry());
    assertEquals(1, refusal.exitCode());
    assertTrue(refusal.message().startsWith("test:reset: the role viewer may not run it"));
  }

  @Test
  void aCommandThatIsNotThereStaysSo() {
    assertSame(reset, reset.orRefusal(Role.VIEWER, registry()));
    shell.command("reset", (session, arguments) -> null);
    assertSame(reset, reset.orRefusal(Role.ADMIN, registry()));
    Failure other = new Failure(1, "broken");
    assertSame(other, other.orRefusal(Role.VIEWER, registry()));
  }

  private Registry registry() {
    return shell.factory().getRegistry();
  }
}
