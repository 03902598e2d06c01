package io.isle.faces.shell.net.nets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.IsleException;
import io.isle.api.net.NetAdmin;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.testing.FakeServices;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Commands of nets and apps. */
class NetCommandsTest {
  private final FakeNets nets = new FakeNets();
  private final FakeServices services = new FakeServices().add(NetAdmin.class, nets);

  @Test
  void aNetIsMadeChangedAndDeleted() {
    assertTrue(services.run(new ListCommand().of(null), false).contains("net:create NAME"));
    String made = services.run(new CreateCommand().of("n", "interface=eth0", "tiles=2"), true);
    assertTrue(made.contains("\"net\":\"n\""), made);
    assertTrue(made.contains("\"ports\":[9000,9001]"), made);
    services.run(new SetCommand().of("n", List.of("tiles"), "poll=auto"), true);
    services.run(new ReloadCommand().of("n"), true);
    assertTrue(services.run(new DeleteCommand().of("n"), true).contains("\"state\":\"deleted\""));
    assertEquals(
        List.of(
            "create n {interface=eth0, tiles=2}",
            "set n {poll=auto, tiles=null}",
            "reload n",
            "remove n"),
        nets.calls);
    assertEquals(List.of(), new NetCompleter().ids(services));
  }

  @Test
  void wrongArgumentsChangeNothing() {
    nets.nets.add(FakeNets.net("n", 1));
    assertThrows(
        ShellException.class, () -> services.run(new CreateCommand().of("m", "tiles"), true));
    assertThrows(
        ShellException.class,
        () -> services.run(new CreateCommand().of("m", "tiles=1", "tiles=2"), true));
    assertThrows(
        ShellException.class, () -> services.run(new SetCommand().of("n", List.of()), true));
    assertThrows(IsleException.class, () -> services.run(new ListCommand().of("none"), true));
    assertThrows(ShellException.class, () -> services.run(new AppDeleteCommand().of("none"), true));
    assertEquals(List.of("removeApp none"), nets.calls);
  }

  @Test
  void filesAreThoseOfTheCaller() {
    services.run(new CreateCommand().of("n", "interface=pcap:in.pcap", "pcap_sent="), true);
    services.run(new SetCommand().of("n", List.of("interface"), "pcap_sent=a/../out"), true);
    String here = Path.of("").toAbsolutePath().toString();
    assertEquals(
        List.of(
            "create n {interface=pcap:" + here + "/in.pcap, pcap_sent=}",
            "set n {pcap_sent=" + here + "/out, interface=null}"),
        nets.calls);
  }

  @Test
  void infoHasWishAndTruthApart() {
    nets.nets.add(FakeNets.net("n", 10));
    String json = services.run(new InfoCommand().of("n"), true);
    assertTrue(json.contains("\"wished\":{\"mode\":\"auto\",\"zero_copy\":true"), json);
    assertTrue(
        json.contains("\"zero_copy\":false,\"poll\":\"softirq\",\"pinned_bytes\":4096"), json);
    assertTrue(json.contains("\"poll\":\"auto\",\"cpu\":\"auto\"}"), json);
    assertTrue(json.contains("\"busy\":0.25,\"cpu\":[2,3]"), json);
    String shown = services.run(new InfoCommand().of("n"), false);
    assertTrue(shown.contains("zero_copy: the driver cannot"), shown);
    assertTrue(shown.replaceAll(" +", " ").contains("tile 0 cpu auto 2,3"), shown);
    assertTrue(shown.contains("25.0 %"), shown);
  }

  @Test
  void countersRoutesAndFindingsAreShown() {
    nets.nets.add(FakeNets.net("n", 10));
    assertFalse(services.run(new StatsCommand().of("n", false), true).contains("bad_ihl"));
    String all = services.run(new StatsCommand().of("n", true), true);
    assertTrue(
        all.contains("\"tile\":0,\"app\":null,\"group\":\"rx\",\"counter\":\"bad_ihl\""), all);
    String lost = "\"app\":\"back\",\"group\":\"app\",\"counter\":\"overrun_polling\",\"value\":4";
    assertTrue(all.contains(lost), all);
    assertTrue(services.run(new RoutesCommand().of("n"), true).contains("198.18.0.0/24"));
    String finding = services.run(new ExplainCommand().of("n"), false);
    assertTrue(finding.contains("NO") && finding.contains("eth0 is down"), finding);
  }

  @Test
  void anAppIsMadeChangedAndDeleted() {
    String made = services.run(new AppCreateCommand().of("a", "kind=echo"), true);
    assertTrue(made.contains("\"reason\":\"no net\""), made);
    services.run(new AppSetCommand().of("a", List.of(), "depth=256"), true);
    String apps = services.run(new AppsCommand(), true);
    assertTrue(apps.contains("\"ports\":[9000],\"instances\":3,\"running\":false"), apps);
    assertTrue(services.run(new AppsCommand(), false).contains("instances"));
    assertTrue(apps.contains("\"overruns_polling\":2,\"overruns_reading\":1"), apps);
    assertEquals(List.of("a"), new AppCompleter().ids(services));
    services.run(new AppDeleteCommand().of("a"), true);
    assertEquals(
        List.of("createApp a {kind=echo}", "setApp a {depth=256}", "removeApp a"), nets.calls);
  }

  @Test
  void aCaptureIsAnAppForTheTimeOfTheCommand() {
    nets.nets.add(FakeNets.net("n", 10));
    nets.reason = "";
    String told = services.run(new CaptureCommand().of("n", "/a/file", 1), true);
    assertEquals("[{\"net\":\"n\",\"file\":\"/a/file\",\"frames\":1,\"lost\":3}]\n", told);
    assertEquals(2, nets.calls.size());
    assertTrue(nets.calls.getFirst().contains("out=/a/file"), nets.calls::toString);
    assertTrue(nets.calls.getLast().startsWith("removeApp capture-"), nets.calls::toString);
    assertEquals(List.of(), nets.apps);
  }

  @Test
  void aCaptureThatDoesNotRunSaysWhyAndIsTakenBack() {
    nets.nets.add(FakeNets.net("n", 10));
    ShellException failed =
        assertThrows(
            ShellException.class,
            () -> services.run(new CaptureCommand().of("n", "/a/file", 1), true));
    assertEquals("no net", failed.getMessage());
    assertEquals(List.of(), nets.apps);
    assertThrows(
        ShellException.class, () -> services.run(new CaptureCommand().of("n", "/a", 0), true));
  }

  @Test
  void generatedFramesAreCountedByTheirOutcome() {
    nets.nets.add(FakeNets.net("n", 10));
    nets.reason = "";
    String told = services.run(new PktgenCommand().of("n", 2L, null), true);
    assertEquals(
        "{\"sent\":5,\"elapsed_ns\":2000,\"rate\":2500000.0,\"dropped\":{\"no_route\":2},"
            + "\"backpressured\":0,\"missed\":0}\n",
        told);
    assertTrue(nets.calls.getFirst().contains("kind=pktgen"), nets.calls::toString);
    assertTrue(nets.calls.getFirst().contains("count=2"), nets.calls::toString);
    assertTrue(nets.calls.getLast().startsWith("removeApp pktgen-"), nets.calls::toString);
    assertEquals(List.of(), nets.apps);
    String shown = services.run(new PktgenCommand().of("n", 2L, null), false);
    assertTrue(shown.startsWith("5 frames sent, "), shown);
    assertTrue(shown.contains("2 dropped: no_route"), shown);
  }

  @Test
  void generatedFramesHaveAnEndOrARateAndANetThatRuns() {
    nets.nets.add(FakeNets.net("n", 10));
    for (PktgenCommand wrong :
        List.of(
            new PktgenCommand().of("n", null, null),
            new PktgenCommand().of("n", 0L, null),
            new PktgenCommand().of("n", null, 0))) {
      assertThrows(ShellException.class, () -> services.run(wrong, true));
    }
    assertEquals(List.of(), nets.calls);
    // the fake app says why it does not run
    ShellException failed =
        assertThrows(
            ShellException.class, () -> services.run(new PktgenCommand().of("n", 2L, null), true));
    assertEquals("no net", failed.getMessage());
    assertEquals(List.of(), nets.apps);
  }

  @Test
  void keysAreThoseOfTheKind() {
    assertEquals(List.of("kind", "nets", "rate"), AppKeys.all(nets));
    assertEquals(List.of("kind", "nets", "rate"), AppKeys.of(nets, List.of("new", "nets=n")));
    assertEquals(List.of("kind", "nets"), AppKeys.of(nets, List.of("new", "kind=echo")));
    assertEquals(List.of("kind", "nets", "rate"), AppKeys.of(nets, List.of("new", "kind=pktgen")));
    nets.startApp("a", Map.of());
    assertEquals(List.of("kind", "nets"), AppKeys.of(nets, List.of("a")));
    assertEquals(List.of("kind", "nets", "rate"), new AppKeyCompleter().ids(services));
  }

  @Test
  void ratesAreDifferences() {
    TopReading before = new TopReading(0, List.of(FakeNets.net("n", 10)));
    TopReading now = new TopReading(2_000_000_000L, List.of(FakeNets.net("n", 30)));
    TopRow row = TopRow.between(before, now).getFirst();
    assertEquals(10, row.seen());
    assertEquals(10, row.passed());
    assertEquals(0, row.dropped());
  }
}
