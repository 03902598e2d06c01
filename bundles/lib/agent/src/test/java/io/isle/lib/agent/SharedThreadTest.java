package io.isle.lib.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.MonotonicClock;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Agents of one thread, and agents that are moved. */
@Timeout(60)
class SharedThreadTest {
  private final ThreadedAgentHost host = new ThreadedAgentHost(1, MonotonicClock.SYSTEM);

  @AfterEach
  void close() {
    host.close();
    assertEquals(1, host.spare(), "every permit was given back");
    assertEquals(List.of(), host.agents());
  }

  private static Function<String, AgentChoice> on(String thread) {
    AgentChoice choice =
        new AgentChoice(Optional.of(thread), Set.of(), IdleMode.ADAPTIVE, AgentChoice.MAX_SLEEP_NS);
    return name -> choice;
  }

  private AgentHost.Placement start(Parcels agent) {
    return host.start(agent, agent.bells);
  }

  private static void takes(Parcels agent) {
    long wanted = agent.taken.get() + 1;
    agent.give();
    Waiting.until(() -> agent.taken.get() == wanted);
  }

  private List<String> threads() {
    return host.agents().stream().map(agent -> agent.name() + " " + agent.thread()).toList();
  }

  @Test
  void agentsOfOneThreadAllGetTheirCycles() {
    host.choose(on("all"));
    Parcels first = new Parcels("first");
    Parcels second = new Parcels("second");
    start(first);
    start(second);
    for (int i = 0; i < 100; i++) {
      takes(first);
      takes(second);
    }
    assertEquals(Set.of("isle-agent-all"), first.threads);
    assertEquals(Set.of("isle-agent-all"), second.threads);
    assertEquals(List.of("first all", "second all"), threads());
  }

  @Test
  void oneThatStopsLeavesTheOthersAndTheLastTakesTheThread() {
    host.choose(on("all"));
    Parcels first = new Parcels("first");
    Parcels second = new Parcels("second");
    AgentHost.Placement one = start(first);
    AgentHost.Placement other = start(second);
    takes(first);
    takes(second);
    Thread thread = threadOf("isle-agent-all");
    one.close();
    assertEquals(0, first.stopped.getCount());
    takes(second);
    assertTrue(thread.isAlive());
    other.close();
    assertFalse(thread.isAlive(), "the thread has ended when close returns");
  }

  private static Thread threadOf(String name) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void oneThatFailsIsToldAndTheOthersGoOn() {
    host.choose(on("all"));
    Parcels good = new Parcels("good");
    Parcels bad = new Parcels("bad");
    AgentHost.Placement failed = start(bad);
    start(good);
    takes(bad);
    bad.raise = new IllegalStateException("planned");
    bad.give();
    Waiting.on(bad.stopped);
    assertSame(bad.raise, bad.failure.get());
    takes(good);
    failed.close();
    takes(good);
    assertNull(good.failure.get());
    Parcels next = new Parcels("bad");
    start(next);
    takes(next);
    assertEquals(List.of("bad all", "good all"), threads());
  }

  @Test
  void anAgentIsMovedBetweenTwoCyclesAndBack() {
    Parcels first = new Parcels("first");
    Parcels second = new Parcels("second");
    start(first);
    start(second);
    takes(first);
    takes(second);
    host.choose(on("all"));
    Waiting.until(() -> threads().equals(List.of("first all", "second all")));
    takes(first);
    takes(second);
    host.choose(name -> AgentChoice.DEFAULT);
    Waiting.until(() -> threads().equals(List.of("first first", "second second")));
    takes(first);
    takes(second);
    assertEquals(Set.of("isle-agent-first", "isle-agent-all"), first.threads);
    assertEquals(3, first.starts.get(), "it is told of each thread");
    assertFalse(first.wentWrong || second.wentWrong);
    assertNotEquals(0, first.stopped.getCount(), "a move is no end");
  }

  @Test
  void nothingIsLostWhileAgentsAreMoved() throws InterruptedException {
    List<Parcels> agents = List.of(new Parcels("a"), new Parcels("b"), new Parcels("c"));
    agents.forEach(this::start);
    int goal = 2_000;
    List<Thread> givers =
        agents.stream()
            .map(
                agent ->
                    Thread.ofPlatform()
                        .start(
                            () -> {
                              for (int i = 0; i < goal; i++) {
                                agent.give();
                                Thread.yield();
                              }
                            }))
            .toList();
    List<Function<String, AgentChoice>> ways =
        List.of(on("all"), name -> AgentChoice.DEFAULT, on("b"));
    for (int i = 0; givers.stream().anyMatch(Thread::isAlive); i++) {
      host.choose(ways.get(i % ways.size()));
      Thread.yield();
    }
    for (Thread giver : givers) {
      giver.join();
    }
    for (Parcels agent : agents) {
      Waiting.until(() -> agent.taken.get() == goal);
      assertFalse(agent.wentWrong, "one thread at a time");
      assertNull(agent.failure.get());
    }
  }

  @Test
  void agentsComeAndGoWhileOthersAreMoved() {
    Parcels stays = new Parcels("stays");
    start(stays);
    for (int i = 0; i < 300; i++) {
      host.choose(i % 2 == 0 ? on("all") : name -> AgentChoice.DEFAULT);
      Parcels comes = new Parcels("comes" + i);
      AgentHost.Placement placement = start(comes);
      comes.give();
      stays.give();
      if (i % 3 != 0) {
        Waiting.until(() -> comes.taken.get() == 1);
      }
      placement.close();
      assertEquals(0, comes.stopped.getCount());
      assertFalse(comes.wentWrong);
    }
    Waiting.until(() -> stays.taken.get() == 300);
    assertFalse(stays.wentWrong);
  }

  /** Who shared its thread waits until it returns, and is moved then. */
  @Test
  void nobodyComesToAThreadOnWhichAnAbandonedAgentIsStuck() {
    host.choose(on("all"));
    Parcels stuck = new Parcels("stuck");
    Parcels with = new Parcels("with");
    stuck.entered = new CountDownLatch(1);
    AgentHost.Placement lost = start(stuck);
    start(with);
    takes(with);
    CountDownLatch returns = new CountDownLatch(1);
    stuck.stuck = returns;
    stuck.give();
    Waiting.on(stuck.entered);
    CountDownLatch ended = new CountDownLatch(1);
    lost.abandon(ended::countDown);
    Parcels next = new Parcels("stuck");
    start(next);
    takes(next);
    assertEquals(1, ended.getCount());
    with.give();
    returns.countDown();
    Waiting.on(ended);
    assertEquals(0, stuck.stopped.getCount());
    Waiting.until(() -> with.taken.get() == with.given.get());
    takes(next);
    Waiting.until(() -> threads().equals(List.of("stuck all", "with all")));
  }

  @Test
  void aClosedHostDoesNotWaitForWhomItAbandonedAndStartsNobody() {
    Parcels stuck = new Parcels("stuck");
    stuck.entered = new CountDownLatch(1);
    CountDownLatch returns = new CountDownLatch(1);
    stuck.stuck = returns;
    ThreadedAgentHost other = new ThreadedAgentHost(1, MonotonicClock.SYSTEM);
    AgentHost.Placement lost = other.start(stuck, stuck.bells);
    Waiting.on(stuck.entered);
    CountDownLatch ended = new CountDownLatch(1);
    lost.abandon(ended::countDown);
    other.close();
    assertEquals(1, ended.getCount());
    assertThrows(IllegalStateException.class, () -> other.start(stuck, stuck.bells));
    returns.countDown();
    Waiting.on(ended);
  }

  @Test
  void aThreadIsBoundToProcessorsAndLetGoAgain() {
    int processor = host.processors().iterator().next();
    AgentChoice bound =
        new AgentChoice(Optional.empty(), Set.of(processor), IdleMode.SLEEP, 1_000_000);
    Parcels agent = new Parcels("bound");
    start(agent);
    takes(agent);
    host.choose(name -> bound);
    Waiting.until(() -> host.agents().getFirst().processors().equals(List.of(processor)));
    assertEquals(IdleMode.SLEEP, host.agents().getFirst().idle());
    takes(agent);
    host.choose(name -> AgentChoice.DEFAULT);
    Waiting.until(() -> host.agents().getFirst().processors().isEmpty());
    assertEquals(IdleMode.ADAPTIVE, host.agents().getFirst().idle());
    takes(agent);
  }

  @Test
  void settingsComeBeforeTheProcessorsThatAnAgentWants() {
    Iterator<Integer> all = host.processors().iterator();
    int wanted = all.next();
    int set = all.hasNext() ? all.next() : wanted;
    AgentChoice bound =
        new AgentChoice(Optional.empty(), Set.of(set), IdleMode.ADAPTIVE, 1_000_000);
    Parcels agent = new Parcels("bound");
    agent.wanted = Set.of(wanted);
    start(agent);
    Waiting.until(() -> host.agents().getFirst().processors().equals(List.of(wanted)));
    host.choose(name -> bound);
    Waiting.until(() -> host.agents().getFirst().processors().equals(List.of(set)));
    host.choose(name -> AgentChoice.DEFAULT);
    Waiting.until(() -> host.agents().getFirst().processors().equals(List.of(wanted)));
    takes(agent);
  }

  @Test
  void anAgentThatSpinsIsNeverAsleepWhileItHasAPermit() {
    AgentChoice spins =
        new AgentChoice(Optional.empty(), Set.of(), IdleMode.SPIN, AgentChoice.MAX_SLEEP_NS);
    host.choose(name -> spins);
    Parcels agent = new Parcels("spins");
    start(agent);
    takes(agent);
    Waiting.until(() -> host.spare() == 0);
    long cycles = host.agents().getFirst().idled();
    Waiting.until(() -> host.agents().getFirst().idled() > cycles + 100_000);
    assertEquals(0, host.agents().getFirst().sleeps());
    host.spinners(0);
    Waiting.until(() -> host.agents().getFirst().sleeps() > 2);
    assertEquals(0, host.spare());
    takes(agent);
    host.spinners(1);
  }
}
