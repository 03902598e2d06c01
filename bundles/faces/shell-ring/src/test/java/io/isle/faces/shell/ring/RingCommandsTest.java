package io.isle.faces.shell.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.fabric.FailureCause;
import io.isle.api.fabric.HopTimes;
import io.isle.api.fabric.LayerRange;
import io.isle.api.fabric.LinkCounters;
import io.isle.api.fabric.NodeFailure;
import io.isle.api.fabric.NodeState;
import io.isle.api.fabric.PortState;
import io.isle.api.fabric.RingAdmin;
import io.isle.api.fabric.RingCounter;
import io.isle.api.fabric.RingFinding;
import io.isle.api.fabric.RingFinding.Topic;
import io.isle.api.fabric.RingFinding.Verdict;
import io.isle.api.fabric.RingHealth;
import io.isle.api.fabric.RingMember;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.api.fabric.RingRole;
import io.isle.api.fabric.RingSide;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.testing.FakeServices;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RingCommandsTest {
  private static final LinkCounters LOSSES =
      new LinkCounters(1, 72, 2, 144, 3, 4, 5, 6, 7, 8, 9, 10, 11);

  private final FakeAdmin admin = new FakeAdmin();
  private final FakeServices services = new FakeServices().add(RingAdmin.class, admin);

  private ShellException failure(IsleCommand command) {
    return assertThrows(ShellException.class, () -> services.run(command, true));
  }

  private CreateCommand create(int nodes, String transport, Integer layers) {
    return new CreateCommand().of("demo", nodes, transport, layers);
  }

  private Map<String, String> settings(int node) {
    return admin.settings.get("demo-" + node);
  }

  @Test
  void listHasAllNodesAsTableAndJson() {
    assertEquals("[]\n", services.run(new ListCommand(), true));
    admin.add(Nodes.master("head", 72, 7));
    String json = services.run(new ListCommand(), true);
    assertTrue(json.startsWith("[{\"node\":\"head\",\"ring\":\"demo\",\"role\":\"master\","), json);
    assertTrue(json.contains("\"dim\":16,\"packet_bytes\":72,\"layers\":12,\"start\":null"), json);
    String table = services.run(new ListCommand().of("demo"), false);
    assertTrue(table.contains("tcp://127.0.0.1:7000"), table);
    assertTrue(failure(new ListCommand().of("none")).getMessage().contains("the nodes are head"));
  }

  @Test
  void statusTellsHopsLossesAndTheLastError() {
    String reason = "next: 10.0.0.2:9999: Connection refused. No node listens there";
    admin.add(
        Nodes.tail(
            "last",
            Nodes.up(RingSide.PREV, "tcp://127.0.0.1:7001", LOSSES),
            Nodes.down(RingSide.NEXT, "tcp://10.0.0.2:9999", PortState.CONNECTING, reason)));
    admin.hop = Optional.of(new HopTimes(12_000, 99_000));
    String json = services.run(new StatusCommand().of("last", false), true);
    for (String part :
        List.of(
            "\"hop_p50_ns\":12000",
            "\"hop_p99_ns\":99000",
            "\"lost\":3,\"repaired\":4",
            "\"error\":\"" + reason,
            "\"prev_state\":\"up\"",
            "\"prev_cut\":10",
            "\"next_state\":\"connecting\"",
            "\"start\":6,\"end\":12,\"tail\":true")) {
      assertTrue(json.contains(part), part + " in " + json);
    }
    String table = services.run(new StatusCommand().of(null, false), false);
    assertTrue(
        table.contains("connecting tcp://10.0.0.2:9999") && table.contains("12.0 us"), table);
  }

  @Test
  void statusHasNodesOfOtherPlatformsAndTheirFailures() {
    admin.add(
        Nodes.withHealth(
            Nodes.master("head", 72, 0),
            new RingHealth(
                List.of(failure("far", FailureCause.SILENT), failure("lost", FailureCause.RESET)),
                List.of(
                    member("near", 0, 6, 3000),
                    member("far", 6, 12, 0),
                    new RingMember(
                        "head",
                        "tcp://127.0.0.1:7000",
                        RingRole.MASTER,
                        NodeState.RUNNING,
                        Optional.empty(),
                        1,
                        2000)),
                5,
                1,
                2,
                0,
                4,
                0)));
    String json = services.run(new StatusCommand().of("demo", false), true);
    assertTrue(
        json.matches("(?s).*\"node\":\"head\".*\"node\":\"near\".*\"node\":\"far\".*\"lost\".*"),
        json);
    for (String part :
        List.of(
            "\"node\":\"near\",\"role\":\"worker\",\"state\":\"running\",\"local\":false,"
                + "\"address\":\"tcp://10.0.0.9:1\"",
            "\"start\":0,\"end\":6",
            "\"hop_p50_ns\":3000",
            "\"node\":\"far\",\"role\":\"worker\",\"state\":\"silent\"",
            "\"failure\":\"silent\",\"failure_reason\":\"why\",\"failure_remedy\":\"do this\","
                + "\"failure_frame\":7,\"failure_silent_ns\":8,\"failure_detected_ns\":9,"
                + "\"failure_reporters\":[\"near\"]",
            "\"node\":\"lost\",\"role\":null,\"state\":\"reset\"",
            "\"error\":\"why: do this\"",
            "\"prev_state\":null")) {
      assertTrue(json.contains(part), part + " in " + json);
    }
    String table = services.run(new StatusCommand().of("far", false), false);
    assertTrue(table.contains("why: do this") && !table.contains("near"), table);
    List<StatusRow> rows = StatusRows.all(admin);
    TopReading reading = new TopReading(0, rows, Map.of());
    List<TopRow> top = TopRow.between(reading, reading);
    assertEquals(
        List.of("head", "near", "far", "lost"),
        top.stream().map(one -> one.status().name()).toList());
    String lines = String.join("\n", TopRow.table().lines(top, 0));
    assertTrue(lines.contains("why: do this"), lines);
  }

  private static NodeFailure failure(String node, FailureCause cause) {
    return new NodeFailure(
        node, "tcp://10.0.0.8:1", cause, 7, 8, 9, 0, List.of("near"), "why", "do this");
  }

  private static RingMember member(String node, int start, int end, long hopNs) {
    return new RingMember(
        node,
        "tcp://10.0.0.9:1",
        RingRole.WORKER,
        NodeState.RUNNING,
        Optional.of(new LayerRange(start, end, false)),
        3,
        hopNs);
  }

  @Test
  void countersHaveTheirNames() {
    admin.add(Nodes.master("head", 72, 0));
    admin.counters.add(
        new RingCounter(
            "isle_ring_frames_sent_total", "demo", "head", Optional.of(RingSide.NEXT), 5));
    admin.counters.add(
        new RingCounter("isle_ring_dropped_total", "other", "elsewhere", Optional.empty(), 6));
    assertEquals(
        "[{\"counter\":\"isle_ring_frames_sent_total\",\"ring\":\"demo\",\"node\":\"head\","
            + "\"side\":\"next\",\"value\":5}]\n",
        services.run(new StatusCommand().of("demo", true), true));
  }

  @Test
  void topShowsRatesBetweenTwoReadings() {
    admin.add(Nodes.master("head", 72, 0));
    List<StatusRow> rows = StatusRows.all(admin);
    TopReading before = new TopReading(0, rows, Map.of());
    TopReading now =
        new TopReading(
            2_000_000_000,
            rows,
            Map.of(
                "isle_ring_frames_sent_total head next",
                10L,
                "isle_ring_lost_total head prev",
                4L));
    TopRow row = TopRow.between(before, now).getFirst();
    assertEquals(5.0, row.sentPerSecond());
    assertEquals(2.0, row.lostPerSecond());
    assertEquals(0.0, row.receivedPerSecond());
    assertEquals(0.0, TopRow.between(now, before).getFirst().sentPerSecond());
  }

  @Test
  void checkRepeatsUntilThePathIsKnown() {
    admin.findings.add(List.of(path(Verdict.OPEN, "")));
    admin.findings.add(List.of(path(Verdict.REFUSED, "start the next node")));
    assertEquals(
        "[{\"side\":\"next\",\"topic\":\"path\",\"verdict\":\"refused\",\"text\":\"words\","
            + "\"remedy\":\"start the next node\"}]\n",
        services.run(new CheckCommand().of("head"), true));
  }

  private static RingFinding path(Verdict verdict, String remedy) {
    return new RingFinding(Optional.of(RingSide.NEXT), Topic.PATH, verdict, "words", remedy);
  }

  @Test
  void createMakesAClosedRingOfFreePorts() {
    String json = services.run(create(3, "tcp", 9), true);
    assertEquals(3, json.split("\"node\":", -1).length - 1);
    assertEquals(List.of("demo-0", "demo-1", "demo-2"), List.copyOf(admin.nodes.keySet()));
    for (int i = 0; i < 3; i++) {
      assertEquals(settings((i + 1) % 3).get("listen"), settings(i).get("next"));
      assertTrue(settings(i).get("listen").matches("tcp://127\\.0\\.0\\.1:\\d+"));
      assertEquals("isle", settings(i).get("prev.dialect"));
    }
    assertEquals("master", settings(0).get("role"));
    assertFalse(settings(0).containsKey("stage"));
    assertEquals(List.of("worker", "3", "6"), worker(1));
    assertEquals(List.of("tail", "6", "9"), worker(2));
    assertTrue(failure(create(3, "tcp", 9)).getMessage().contains("exists already"));
  }

  private List<String> worker(int node) {
    return List.of(
        settings(node).get("role"), settings(node).get("start"), settings(node).get("end"));
  }

  @Test
  void createSaysWhatIsOutOfRange() {
    assertEquals(2, failure(create(1, "tcp", null)).exitStatus());
    assertEquals(2, failure(create(18, "tcp", null)).exitStatus());
    assertEquals(2, failure(create(3, "tcp", 2)).exitStatus());
    assertEquals(2, failure(create(3, "tcp", 65_537)).exitStatus());
    assertTrue(failure(create(3, "ib", null)).getMessage().contains("shm, tcp, udp"));
    CreateCommand named = new CreateCommand().of("a b", 2, "tcp", null);
    assertTrue(failure(named).getMessage().contains("'a b' is not a name of a ring"));
    assertTrue(admin.nodes.isEmpty());
  }

  @Test
  void switchMovesAllLinksOfARingOrOne() {
    services.run(create(3, "tcp", null), true);
    services.run(new SwitchCommand().of("demo-1", "udp"), true);
    assertTrue(settings(1).get("next").startsWith("udp://"));
    assertEquals(settings(1).get("next"), settings(2).get("listen"));
    assertTrue(settings(0).get("next").startsWith("tcp://"));
    services.run(new SwitchCommand().of("demo", "shm"), true);
    for (int i = 0; i < 3; i++) {
      assertEquals("shm://demo-" + i, settings(i).get("listen"));
      assertEquals(settings((i + 1) % 3).get("listen"), settings(i).get("next"));
    }
    assertTrue(
        failure(new SwitchCommand().of("demo", "shm")).getMessage().contains("uses shm already"));
    assertEquals(2, failure(new SwitchCommand().of("demo", "ib")).exitStatus());
  }

  @Test
  void aLinkToAnotherMachineCannotBeSwitchedFromHere() {
    admin.add(Nodes.master("head", 72, 0));
    String message = failure(new SwitchCommand().of("head", "udp")).getMessage();
    assertTrue(message.contains("its next node is not on this platform"), message);
  }

  @Test
  void setNeedsSomethingToSet() {
    services.run(create(2, "tcp", null), true);
    services.run(new SetCommand().of("demo-1", List.of("stage"), "layers=5"), true);
    assertEquals("5", settings(1).get("layers"));
    assertFalse(settings(1).containsKey("stage"));
    assertEquals(2, failure(new SetCommand().of("demo-1", null)).exitStatus());
    assertEquals(2, failure(new SetCommand().of("demo-1", null, "layers")).exitStatus());
    assertEquals(2, failure(new SetCommand().of("demo-1", List.of("dim"), "dim=3")).exitStatus());
  }

  @Test
  void removeTakesARingOrANode() {
    services.run(create(3, "tcp", null), true);
    assertEquals(
        "[{\"node\":\"demo-2\",\"ring\":\"demo\",\"state\":\"removed\"}]\n",
        services.run(new RemoveCommand().of("demo-2"), true));
    String json = services.run(new RemoveCommand().of("demo"), true);
    assertTrue(json.contains("demo-0") && json.contains("demo-1"), json);
    assertTrue(admin.nodes.isEmpty());
    assertEquals(1, failure(new RemoveCommand().of("demo")).exitStatus());
  }

  @Test
  void nodesOfWhichSomeDoNotRunAreNamedWithTheirReasons() {
    RingNodeInfo waiting =
        Nodes.tail(
            "last",
            Nodes.down(RingSide.PREV, "tcp://127.0.0.1:7001", PortState.LISTENING, ""),
            Nodes.down(RingSide.NEXT, "tcp://127.0.0.1:7000", PortState.CONNECTING, "refused"));
    RingNodeInfo listening =
        Nodes.tail(
            "first",
            Nodes.down(RingSide.PREV, "tcp://127.0.0.1:7001", PortState.LISTENING, ""),
            Nodes.up(RingSide.NEXT, "tcp://127.0.0.1:7000", Nodes.NONE));
    ShellException thrown =
        assertThrows(
            ShellException.class, () -> Running.check(List.of(listening, waiting), "done"));
    assertTrue(thrown.getMessage().startsWith("done, but packets cannot travel yet: last: "));
  }
}
