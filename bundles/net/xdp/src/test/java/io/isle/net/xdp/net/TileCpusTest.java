package io.isle.net.xdp.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.lib.agent.AgentInfo;
import io.isle.lib.agent.IdleMode;
import io.isle.lib.ffi.ThreadAffinity;
import io.isle.net.xdp.settings.CpuWish;
import java.io.IOException;
import java.net.DatagramSocket;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class TileCpusTest extends NetFixture {
  private static AgentInfo agent(Integer... processors) {
    return new AgentInfo("a", "a", List.of(processors), IdleMode.SLEEP, "idle", 0, 0, 0, 0, 0, 0);
  }

  private static List<Set<Integer>> auto(int tiles, List<AgentInfo> agents, Integer... there) {
    return TileCpus.of(new CpuWish(true, List.of()), tiles, agents, Set.of(there));
  }

  @Test
  void autoTakesTheProcessorsWithTheFewestAgents() {
    assertEquals(List.of(Set.of(3), Set.of(2)), auto(2, List.of(), 0, 1, 2, 3));
    assertEquals(List.of(Set.of(1), Set.of(0)), auto(2, List.of(agent(2, 3)), 0, 1, 2, 3));
    assertEquals(List.of(Set.of(1), Set.of(0), Set.of(1)), auto(3, List.of(), 0, 1));
    // an agent may be bound where this process may not be
    assertEquals(List.of(Set.of(0)), auto(1, List.of(agent(7)), 0));
  }

  @Test
  void givenProcessorsAreTaken() {
    assertEquals(
        List.of(Set.of(1), Set.of(0)),
        TileCpus.of(new CpuWish(false, List.of(1, 0)), 2, List.of(), Set.of(0, 1)));
    assertEquals(
        List.of(Set.of(), Set.of()),
        TileCpus.of(new CpuWish(false, List.of()), 2, List.of(), Set.of(0, 1)));
  }

  private List<Integer> bound() {
    return host.agents().stream()
        .filter(one -> one.name().equals("net-n-0"))
        .findFirst()
        .map(AgentInfo::processors)
        .orElse(List.of());
  }

  private List<Integer> shown() {
    return core.find("n").orElseThrow().tiles().getFirst().processors();
  }

  @Test
  void tilesRunThereAndMoveWhileFramesTravel() throws IOException {
    TreeSet<Integer> there = new TreeSet<>(ThreadAffinity.processors());
    core.create("n", settings("cpu", there.getLast().toString()));
    app("back", "echo", "own");
    running();
    until(() -> app("back").running() && bound().equals(List.of(there.getLast())));
    assertEquals(there.getLast().toString(), core.find("n").orElseThrow().wishedCpu());
    assertEquals(bound(), shown());
    try (DatagramSocket client = client()) {
      client.setSoTimeout(20_000);
      byte[] into = new byte[64];
      client.send(packet(1, PORT));
      receive(client, into);
      core.set("n", Map.of("cpu", there.getFirst().toString()));
      until(() -> bound().equals(List.of(there.getFirst())));
      client.send(packet(2, PORT));
      receive(client, into);
    }
    // the memory of before
    assertEquals(2, counter("rx", "seen"));
    core.set("n", Map.of("cpu", "auto"));
    until(() -> bound().equals(List.of(there.getLast())));
    assertEquals("auto", core.find("n").orElseThrow().wishedCpu());
    assertEquals(bound(), shown());
    NetException wrong =
        assertThrows(NetException.class, () -> core.set("n", Map.of("cpu", "8191")));
    assertEquals(Errno.EINVAL, wrong.code());
    assertTrue(wrong.getMessage().startsWith("cpu: processor 8191"), wrong.getMessage());
    assertEquals(List.of(there.getLast()), bound());
  }
}
