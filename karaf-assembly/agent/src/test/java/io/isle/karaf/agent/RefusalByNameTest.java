package io.isle.karaf.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import javax.security.auth.Subject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RefusalByNameTest {
  private ShellFixture shell;

  @BeforeEach
  void secured() throws Exception {
    shell = new ShellFixture(Map.of("reset", "admin"));
    shell.command("reset", session -> "done");
    shell.command("list", session -> "all");
  }

  @AfterEach
  void stop() {
    shell.close();
  }

  /** Nobody hears of its exception, but of the refusal the logger does, as the user. */
  @Test
  void aRefusedStageOfAPipeIsTold() throws Exception {
    List<String> told = new CopyOnWriteArrayList<>();
    Logger logger = Logger.getLogger(RefusalByName.LOGGER);
    Handler handler = new Telling(told);
    logger.addHandler(handler);
    try {
      Object ignored = run(ShellFixture.VIEWER, "test:reset | test:list");
    } finally {
      logger.removeHandler(handler);
    }
    assertEquals(List.of("test:reset: your role may not run it; a higher one may true"), told);
  }

  private static final class Telling extends Handler {
    private final List<String> told;

    Telling(List<String> told) {
      this.told = told;
    }

    @Override
    public void publish(LogRecord refusal) {
      boolean asUser = ShellFixture.asKarafSeesIt() == ShellFixture.VIEWER;
      told.add(refusal.getMessage() + " " + asUser);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  private Object run(Subject subject, String line) throws Exception {
    return ShellFixture.as(subject, () -> shell.session().execute(line));
  }

  @Test
  void whoMayRunACommandDoes() throws Exception {
    assertEquals("done", run(ShellFixture.ADMIN, "test:reset"));
    assertEquals("all", run(ShellFixture.VIEWER, "test:list"));
  }

  @Test
  void aRefusedCommandIsNamed() {
    SecurityException refused =
        assertThrows(SecurityException.class, () -> run(ShellFixture.VIEWER, "test:reset"));
    assertEquals("test:reset: your role may not run it; a higher one may", refused.getMessage());
  }

  @Test
  void aCommandThatIsNotThereStaysSo() {
    Exception missing =
        assertThrows(Exception.class, () -> run(ShellFixture.VIEWER, "test:nothing"));
    assertFalse(missing instanceof SecurityException, missing.toString());
    assertEquals("Command not found: test:nothing", missing.getMessage());
  }
}
