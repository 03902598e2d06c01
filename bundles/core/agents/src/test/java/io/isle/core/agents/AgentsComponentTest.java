package io.isle.core.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.lib.agent.Agent;
import io.isle.lib.agent.AgentHost;
import io.isle.lib.agent.AgentInfo;
import io.isle.lib.agent.IdleMode;
import io.isle.lib.shm.AgentBells;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What stands in {@code io.isle.agents} acts on the agents that run. */
@Timeout(60)
class AgentsComponentTest {
  private final Log log = new Log();
  private AgentsComponent component;

  @BeforeEach
  void capture() {
    Logger.getLogger(AgentsComponent.class.getName()).addHandler(log);
  }

  @AfterEach
  void close() {
    component.deactivate();
    Logger.getLogger(AgentsComponent.class.getName()).removeHandler(log);
  }

  /** What is logged, in words. */
  private static final class Log extends Handler {
    private final List<String> lines = new CopyOnWriteArrayList<>();

    @Override
    public void publish(LogRecord told) {
      lines.add(new SimpleFormatter().formatMessage(told));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  /** One that has nothing to do. */
  private static final class Idler implements Agent {
    final AgentBells bells = new AgentBells(Arena.ofAuto().allocate(4096, 64), Arena.ofAuto());
    final AtomicReference<Thread> thread = new AtomicReference<>();
    final AtomicBoolean stopped = new AtomicBoolean();
    private final String name;

    Idler(String name) {
      this.name = name;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public void onStart() {
      thread.set(Thread.currentThread());
    }

    @Override
    public int doWork() {
      return 0;
    }

    @Override
    public long cycleNs() {
      return System.nanoTime();
    }

    @Override
    public void onStop() {
      stopped.set(true);
    }

    @Override
    public void onFailure(Throwable cause) {
      throw new AssertionError(cause);
    }
  }

  private static void until(BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() - end < 0, "it does not happen");
      Thread.yield();
    }
  }

  private Idler start(String name) {
    Idler agent = new Idler(name);
    AgentHost.Placement placement = component.start(agent, agent.bells);
    assertTrue(placement != null);
    return agent;
  }

  private AgentInfo agent(String name) {
    return component.agents().stream()
        .filter(agent -> agent.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void whatIsSetHoldsAtTheStartAndIsChangedLive() {
    component = new AgentsComponent(Map.of("thread", "soft* shared"));
    Idler soft = start("soft0");
    Idler sim = start("sim0");
    until(() -> soft.thread.get() != null && sim.thread.get() != null);
    assertEquals("isle-agent-shared", soft.thread.get().getName());
    assertEquals("isle-agent-sim0", sim.thread.get().getName());
    component.modified(Map.of("thread", "* all", "idle", "sim0 sleep, soft0 yield"));
    until(() -> soft.thread.get() == sim.thread.get());
    assertEquals("all", agent("soft0").thread());
    until(() -> agent("sim0").idle() == IdleMode.YIELD);
    component.modified(Map.of("idle", "sim0 sleep", "cpu", "sim0 0"));
    until(() -> soft.thread.get() != sim.thread.get());
    until(() -> agent("sim0").idle() == IdleMode.SLEEP);
    until(() -> agent("soft0").idle() == IdleMode.ADAPTIVE);
    assertEquals(List.of(), log.lines);
  }

  @Test
  void aBadValueIsLoggedAndTheLastGoodOneStays() {
    component = new AgentsComponent(Map.of("idle", "soft0 sleep"));
    start("soft0");
    until(() -> agent("soft0").idle() == IdleMode.SLEEP);
    component.modified(Map.of("idle", "soft0 quick"));
    assertEquals(
        List.of(
            "io.isle.agents: idle: soft0: 'quick' is not adaptive, sleep, spin or yield; 'soft0"
                + " sleep' stays in force"),
        log.lines);
    assertEquals(IdleMode.SLEEP, agent("soft0").idle());
  }

  /** One agent that spins never sleeps with a permit, and does without. */
  @Test
  void spinnersOfAccelHoldWhileThereAreNoneHere() {
    Map<String, Object> spins = Map.of("idle", "soft0 spin");
    component = new AgentsComponent(spins);
    AccelSpinners accel = new AccelSpinners(component, Map.of("spinners", "0", "depth", "4"));
    start("soft0");
    until(() -> agent("soft0").sleeps() > 2);
    String used =
        "spinners = 0 of io.isle.accel is in force, because io.isle.agents does not set spinners";
    assertEquals(List.of(used), log.lines);
    accel.modified(Map.of("spinners", "0", "depth", "5"));
    assertEquals(List.of(used), log.lines, "told once");
    component.modified(Map.of("idle", "soft0 spin", "spinners", "1"));
    awake();
    accel.modified(Map.of("spinners", "none"));
    assertEquals(
        "io.isle.accel: spinners: 'none' is not a number from -1 to 1024; 0 stays in force",
        log.lines.getLast());
    awake();
    component.modified(spins);
    long sleeps = agent("soft0").sleeps();
    until(() -> agent("soft0").sleeps() > sleeps + 2);
    assertEquals(used, log.lines.getLast());
    assertEquals(3, log.lines.size());
    accel.modified(Map.of("spinners", "2"));
    assertEquals(
        "spinners = 2 of io.isle.accel is in force, because io.isle.agents does not set spinners",
        log.lines.getLast());
    awake();
  }

  /** So many cycles without a sleep are no accident. */
  private void awake() {
    until(
        () -> {
          AgentInfo before = agent("soft0");
          until(() -> agent("soft0").idled() > before.idled() + 50_000);
          return agent("soft0").sleeps() == before.sleeps();
        });
  }

  @Test
  void itsEndIsThatOfAllAgents() {
    component = new AgentsComponent(Map.of());
    Idler first = start("soft0");
    Idler second = start("soft1");
    component.deactivate();
    assertTrue(first.stopped.get() && second.stopped.get());
    for (Idler agent : List.of(first, second)) {
      assertFalse(agent.thread.get() != null && agent.thread.get().isAlive());
    }
    assertEquals(List.of(), component.agents());
    assertThrows(IllegalStateException.class, () -> start("soft2"));
  }
}
