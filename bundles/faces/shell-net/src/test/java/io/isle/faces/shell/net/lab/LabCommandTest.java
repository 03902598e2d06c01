package io.isle.faces.shell.net.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.net.LabSide;
import io.isle.api.net.Labs;
import io.isle.api.observe.Actor;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import io.isle.core.testing.RecordedAudit;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.testing.FakeServices;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LabCommandTest {
  private static final Actor ADMIN = new Actor(Actor.Kind.USER, "a", Set.of("admin"));
  private static final Actor VIEWER = new Actor(Actor.Kind.USER, "v", Set.of("viewer"));

  private final List<LabSide> sides = new ArrayList<>();
  private final List<AuditEvent> recorded = new ArrayList<>();
  private final FakeServices services =
      new FakeServices()
          .add(Labs.class, new FakeLabs())
          .add(Audit.class, new RecordedAudit(recorded::add));

  private final class FakeLabs implements Labs {
    @Override
    public List<LabSide> create(String name, int queues) {
      sides.add(
          new LabSide(
              name, "a", "va", "198.18.0.1", 24, "02:00:00:00:00:01", "/proc/7/fd/8", queues));
      return list();
    }

    @Override
    public List<LabSide> createWithHost(String name, int queues) {
      sides.add(
          new LabSide(name, "host", "hb", "", 0, "02:00:00:00:00:02", "/proc/7/fd/9", queues));
      return list();
    }

    @Override
    public List<LabSide> list() {
      return List.copyOf(sides);
    }

    @Override
    public void delete(String name) {
      assertTrue(sides.removeIf(side -> side.lab().equals(name)));
    }
  }

  private String run(String verb, String name, Integer queues, boolean json) {
    return services.run(new LabCommand().of(verb, name, queues, ADMIN), json);
  }

  private void failure(
      int status, String part, String verb, String name, Integer queues, Actor as) {
    ShellException failure =
        assertThrows(
            ShellException.class,
            () -> services.run(new LabCommand().of(verb, name, queues, as), true));
    assertEquals(status, failure.exitStatus(), failure.getMessage());
    assertTrue(failure.getMessage().contains(part), failure.getMessage());
  }

  @Test
  void aLabIsMadeListedAndDeleted() {
    assertEquals("[]\n", run("list", null, null, true));
    assertTrue(run("list", null, null, false).contains("net:lab create NAME"));
    String made = run("create", "one", 2, true);
    assertEquals(
        "[{\"lab\":\"one\",\"side\":\"a\",\"interface\":\"va\",\"address\":\"198.18.0.1\","
            + "\"prefix\":24,\"mac\":\"02:00:00:00:00:01\",\"netns\":\"/proc/7/fd/8\","
            + "\"queues\":2}]\n",
        made);
    assertEquals(made, run("list", null, null, true));
    assertTrue(run("list", null, null, false).contains("nsenter --net=/proc/7/fd/8"));
    LabCompleter completer = new LabCompleter();
    assertEquals(List.of("one"), completer.ids(services));
    assertTrue(run("delete", "one", null, true).contains("\"state\":\"deleted\""));
    assertEquals(List.of(), completer.ids(services));
    assertEquals(1, Integer.parseInt(queuesOf(run("create", "two", null, true))), "the default");
  }

  @Test
  void aLabMayHaveAHost() {
    String made = services.run(new LabCommand().of("create", "one", 3, ADMIN).withHost(), true);
    assertTrue(made.contains("\"side\":\"host\",\"interface\":\"hb\""), made);
    assertEquals("3", queuesOf(made));
    ShellException failure =
        assertThrows(
            ShellException.class,
            () -> services.run(new LabCommand().of("list", null, null, ADMIN).withHost(), true));
    assertEquals(2, failure.exitStatus());
    assertTrue(failure.getMessage().contains("--host goes with create alone"));
  }

  private static String queuesOf(String json) {
    return json.replaceAll("(?s).*\"queues\":(\\d+).*", "$1");
  }

  @Test
  void aViewerLooksAndTheRefusalIsRecorded() {
    assertEquals("[]\n", services.run(new LabCommand().of("list", null, null, VIEWER), true));
    failure(1, "the role admin is needed", "create", "one", null, VIEWER);
    failure(1, "the role admin is needed", "delete", "one", null, VIEWER);
    assertEquals(2, recorded.size());
    assertEquals("shell.refuse", recorded.getFirst().action());
    assertEquals(List.of(), sides);
  }

  @Test
  void wrongLinesSayWhatIsMissing() {
    failure(2, "create, list, delete", "make", "one", null, ADMIN);
    failure(2, "needs the name", "create", null, null, ADMIN);
    failure(2, "takes no name", "list", "one", null, ADMIN);
    failure(2, "create alone", "delete", "one", 2, ADMIN);
  }
}
