package io.isle.faces.shell.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.testing.FakeServices;
import io.isle.lib.agent.Agent;
import io.isle.lib.agent.AgentHost;
import io.isle.lib.agent.AgentInfo;
import io.isle.lib.agent.IdleMode;
import io.isle.lib.shm.AgentBells;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ListCommandTest {
  private static final long MS = 1_000_000;

  private static AgentInfo agent(
      String name, List<Integer> processors, long cycles, long workNs, long idleNs, long sleepNs) {
    return new AgentInfo(
        name,
        "shared",
        processors,
        IdleMode.ADAPTIVE,
        "sleeps",
        cycles,
        2 * cycles,
        3 * cycles,
        workNs,
        idleNs,
        sleepNs);
  }

  private static final AgentInfo SOFT =
      agent("soft0", List.of(), 12_345_678, 100 * MS, 20 * MS, 30 * MS);

  /** Agents that do nothing meanwhile. */
  private static final class Fixed implements AgentHost {
    @Override
    public Placement start(Agent agent, AgentBells bells) {
      throw new AssertionError("nobody starts one");
    }

    @Override
    public List<AgentInfo> agents() {
      return List.of(SOFT, agent("sim0", List.of(0, 3), 1, 1, 2, 3));
    }
  }

  private final FakeServices services = new FakeServices().add(AgentHost.class, new Fixed());

  @Test
  void sharesAreOfTheTimeBetweenTwoReadings() {
    AgentInfo later = agent("soft0", List.of(), 12_345_679, 150 * MS, 30 * MS, 70 * MS);
    AgentInfo fresh = agent("soft1", List.of(), 1, 5 * MS, 0, 20 * MS);
    List<AgentRow> rows =
        AgentRow.between(
            new AgentsReading(7, List.of(SOFT)),
            new AgentsReading(7 + 100 * MS, List.of(later, fresh)));
    assertEquals(
        List.of(new AgentRow(later, 50.0, 10.0, 40.0), new AgentRow(fresh, 5.0, 0.0, 20.0)), rows);
  }

  @Test
  void anAgentThatBeganAnewDidAllOfItSince() {
    AgentInfo anew = agent("soft0", List.of(), 1, 10 * MS, 0, 0);
    assertEquals(
        List.of(new AgentRow(anew, 10.0, 0.0, 0.0)),
        AgentRow.between(
            new AgentsReading(0, List.of(SOFT)), new AgentsReading(100 * MS, List.of(anew))));
  }

  @Test
  void withoutTimeThereAreNoShares() {
    AgentsReading same = new AgentsReading(7, List.of(SOFT));
    assertNull(AgentRow.between(same, same).getFirst().workPercent());
  }

  @Test
  void jsonIsOneSample() {
    String json = services.run(new ListCommand().of(null, 50, null), true);
    assertTrue(
        json.contains(
            "{\"agent\":\"sim0\",\"thread\":\"shared\",\"processors\":[0,3],"
                + "\"idle\":\"adaptive\",\"state\":\"sleeps\",\"work_percent\":0.0,"
                + "\"idle_percent\":0.0,\"sleep_percent\":0.0,\"worked\":1,\"idled\":2,"
                + "\"sleeps\":3,\"work_ns\":1,\"idle_ns\":2,\"sleep_ns\":3}"),
        json);
  }

  @Test
  void peopleSeeEachAgentInALine() {
    List<String> lines = services.run(new ListCommand().of(null, 50, null), false).lines().toList();
    assertEquals(3, lines.size());
    assertTrue(
        lines.getFirst().matches("agent +thread +cpu +idle +state +work % +idle % +sleep % .*"),
        lines.getFirst());
    assertTrue(lines.get(1).matches("soft0 +shared +any +adaptive +sleeps +0.0 .*"), lines.get(1));
    assertTrue(lines.get(2).matches("sim0 +shared +0 3 +adaptive .*"), lines.get(2));
  }

  @Test
  void eightyColumnsAreEnough() {
    AgentsReading now = new AgentsReading(0, new Fixed().agents());
    List<String> lines = AgentRow.table().lines(AgentRow.between(now, now), 80);
    assertTrue(lines.stream().allMatch(line -> line.length() <= 80), lines::toString);
    assertTrue(lines.getFirst().contains("sleep %"), lines.getFirst());
    assertTrue(lines.stream().noneMatch(line -> line.contains("~")), lines::toString);
  }

  @Test
  void withoutTheServiceItSaysSo() {
    ShellException none =
        assertThrows(
            ShellException.class,
            () -> new FakeServices().run(new ListCommand().of(null, 50, null), false));
    assertTrue(
        none.getMessage().startsWith("the service AgentHost is not available"), none::getMessage);
  }
}
