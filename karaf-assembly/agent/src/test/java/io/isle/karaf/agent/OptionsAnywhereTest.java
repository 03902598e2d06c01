package io.isle.karaf.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.apache.karaf.shell.api.action.Action;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.impl.action.command.ManagerImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OptionsAnywhereTest {
  private final ShellFixture shell = new ShellFixture();

  @BeforeEach
  void register() {
    new ManagerImpl(shell.factory.getRegistry(), shell.factory.getRegistry()).register(Show.class);
  }

  @AfterEach
  void stop() {
    shell.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "test:show --json --set a=1 --set b=2 it",
        "test:show it --json --set a=1 --set b=2",
        "test:show --set a=1 it --set b=2 --json",
        "test:show --set a=1 --set b=2 it --json"
      })
  void anyOrderMeansTheSame(String line) throws Exception {
    assertEquals("it true [a=1, b=2]", shell.session().execute(line));
  }

  /** A command of Isle, by its package. */
  @Service
  @Command(scope = "test", name = "show")
  public static final class Show implements Action {
    @Argument private String what;

    @Option(name = "--json")
    private boolean json;

    @Option(name = "--set", multiValued = true)
    private List<String> set;

    @Override
    public Object execute() {
      return what + " " + json + " " + set;
    }
  }
}
