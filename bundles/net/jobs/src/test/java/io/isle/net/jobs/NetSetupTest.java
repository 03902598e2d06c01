package io.isle.net.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.jobs.ActionValues;
import io.isle.api.jobs.JobException;
import io.isle.api.jobs.SetupResource;
import io.isle.api.net.NetException;
import io.isle.api.tenancy.Permission;
import io.isle.api.tenancy.TenancyException;
import io.isle.core.testing.FakeCapabilities;
import io.isle.core.testing.FakeStep;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class NetSetupTest {
  private final FakeNets nets = new FakeNets();
  private final FakeFramework framework = new FakeFramework();
  private final EventBook book = new EventBook();
  private final NetSetup setup = new NetSetup(framework.tiles(), nets, nets, book);

  private SetupResource net(String name, Map<String, String> given) {
    Map<String, String> values = new HashMap<>();
    setup.parameters().forEach(one -> one.preset().ifPresent(text -> values.put(one.name(), text)));
    values.putAll(given);
    return new SetupResource(name, new ActionValues(values));
  }

  private static final ActionValues NONE = new ActionValues(Map.of());

  @Test
  void aNetHasALabAndAnAppAndIsRemovedAsAWhole() throws Exception {
    SetupResource net = net("demo", Map.of("tiles", "2", "mode", "drv"));
    assertTrue(setup.check(net).isEmpty());
    setup.make(net);
    assertEquals(List.of("demo"), nets.labs);
    Map<String, String> settings = nets.nets.get("demo");
    assertEquals("lab:demo", settings.get("netns"));
    assertEquals("2", settings.get("tiles"));
    assertEquals("drv", settings.get("mode"));
    assertEquals("echo", nets.apps.get("demo").get("kind"));
    assertEquals(Set.of("io.isle.net-demo", "io.isle.netapp-demo"), setup.pids(net));
    assertTrue(book.has("demo"));
    nets.createApp("demo-capture", Map.of("kind", "capture", "nets", "demo"));
    setup.remove(net);
    setup.remove(net);
    assertEquals(List.of(), nets.labs);
    assertEquals(Map.of(), nets.nets);
    assertEquals(Map.of(), nets.apps);
    assertFalse(book.has("demo"));
  }

  @Test
  void withoutRootTheReasonIsToldAndNothingIsLeft() {
    nets.refusal = "a lab needs root";
    SetupResource net = net("demo", Map.of());
    NetException refused = assertThrows(NetException.class, () -> setup.make(net));
    assertEquals("a lab needs root", refused.getMessage());
    setup.remove(net);
    assertEquals(Map.of(), nets.nets);
  }

  @Test
  void aNetThatDoesNotRunTellsWhy() {
    nets.reason = "vb is gone";
    nets.nets.put("demo", Map.of());
    NetException failed =
        assertThrows(NetException.class, () -> NetSetup.awaitRunning(nets, "demo", 1));
    assertEquals(Errno.ETIMEDOUT, failed.code());
    assertEquals("net demo does not run: vb is gone", failed.getMessage());
  }

  @Test
  void namesAreThoseOfLabs() {
    for (String name : List.of("Demo", "-a", "a_b", "a".repeat(25))) {
      String mistake = setup.check(net(name, Map.of())).orElseThrow().message();
      assertTrue(mistake.startsWith("name '" + name + "' of a net is not 1 to 24"), mistake);
    }
  }

  @Test
  void anUpdateBelongsToAllNetsAndAReloadToOne() throws Exception {
    SetupResource one = net("one", Map.of());
    setup.make(one);
    setup.make(net("other", Map.of()));
    setup.happen(one, "update", NONE);
    setup.happen(one, "reload", NONE);
    assertEquals(1, framework.updates);
    assertEquals(List.of("one"), nets.reloads);
    assertEquals(
        List.of("update", "reload"), book.events("one").stream().map(Event::name).toList());
    assertEquals(List.of("update"), book.events("other").stream().map(Event::name).toList());
    Event update = book.events("one").getFirst();
    assertTrue(update.endNs() - update.beginNs() < 60_000_000_000L, "it is over");
  }

  @Test
  void aKillNeedsATileInAProcess() {
    ActionValues first = new ActionValues(Map.of("tile", "0"));
    ActionValues second = new ActionValues(Map.of("tile", "1"));
    SetupResource inside = net("a", Map.of());
    SetupResource own = net("a", Map.of("placement", "process"));
    assertTrue(setup.check(own, "kill", first).isEmpty());
    assertTrue(setup.check(inside, "update", NONE).isEmpty());
    assertEquals(
        "a kill needs a net with 'placement: process'",
        setup.check(inside, "kill", first).orElseThrow().message());
    assertEquals("tile", setup.check(own, "kill", second).orElseThrow().parameter());
  }

  @Test
  void aKillEndsTheProcessAndWaitsForAnother() throws Exception {
    SetupResource net = net("demo", Map.of("placement", "process"));
    setup.make(net);
    nets.process = new ProcessBuilder("sleep", "1000").start();
    try {
      setup.happen(net, "kill", new ActionValues(Map.of("tile", "0")));
      assertFalse(nets.process.isAlive());
      assertEquals(List.of("kill"), book.events("demo").stream().map(Event::name).toList());
    } finally {
      nets.process.destroyForcibly();
    }
  }

  @Test
  void aStepNeedsTheRightsAndANetOfTheJob() {
    FakeCapabilities capabilities = new FakeCapabilities();
    EchoAction action =
        new EchoAction(capabilities, new EchoStep.Services(nets, nets, book, Path.of("none")));
    assertEquals(Set.of(Permission.NET_ATTACH, Permission.NET_CAPTURE), action.permissions());
    FakeStep step = new FakeStep(action, new byte[3], Map.of("net", "none"));
    step.capability = capabilities.grant("job", Permission.ACCEL_COMPUTE);
    assertThrows(TenancyException.class, () -> action.run(step));
    step.capability = capabilities.grant("job", Permission.NET_ATTACH);
    JobException missing = assertThrows(JobException.class, () -> action.run(step));
    assertTrue(missing.getMessage().contains("no 'none'"), missing.getMessage());
    FakeStep captures = new FakeStep(action, new byte[3], Map.of("net", "none", "capture", "x"));
    captures.capability = step.capability;
    assertThrows(TenancyException.class, () -> action.run(captures));
  }
}
