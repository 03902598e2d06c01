package io.isle.lib.agent;

import io.isle.lib.shm.AgentBells;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Counters under a clock that cycles move on, and each look of the host's threads by a thousand
 * times as much: so it shows when the host looks.
 */
@Timeout(60)
class AgentTimesTest {
  private static final long LOOK_NS = 1000;
  private static final long WORK_NS = 10;

  private final AtomicLong time = new AtomicLong(50);
  private final ThreadedAgentHost host =
      new ThreadedAgentHost(
          1,
          () ->
              Thread.currentThread().getName().startsWith("isle-agent-")
                  ? time.addAndGet(LOOK_NS)
                  : time.get());

  /** A cycle with work takes ten nanoseconds, another one. */
  private final class Timed implements Agent {
    final AgentBells bells = new AgentBells(Arena.ofAuto().allocate(4096, 64), Arena.ofAuto());
    final AtomicLong given = new AtomicLong();
    private final String name;
    private long taken;
    private long began;

    Timed(String name) {
      this.name = name;
      var ignored = host.start(this, bells);
    }

    void give(int count) {
      long ignored = given.addAndGet(count);
      bells.ring();
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public int doWork() {
      began = time.get();
      boolean works = taken < given.get();
      taken += works ? 1 : 0;
      long ignored = time.addAndGet(works ? WORK_NS : 1);
      return works ? 1 : 0;
    }

    @Override
    public long cycleNs() {
      return began;
    }

    @Override
    public void onFailure(Throwable cause) {
      throw new AssertionError(cause);
    }
  }

  private AgentInfo of(String name) {
    return host.agents().stream()
        .filter(agent -> agent.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** The host looks twice at the start, and once when a sleep begins and when it ends. */
  @ParameterizedTest
  @EnumSource(names = {"ADAPTIVE", "SLEEP"})
  void everyNanosecondIsCountedAsWhatItWas(IdleMode idle) {
    AgentChoice choice = new AgentChoice(Optional.empty(), Set.of(), idle, 20_000_000);
    host.choose(name -> choice);
    Timed agent = new Timed("timed");
    for (int burst = 1; burst <= 50; burst++) {
      agent.give(burst);
      int worked = burst * (burst + 1) / 2;
      Waiting.until(() -> of("timed").worked() == worked && of("timed").state().equals("sleeps"));
    }
    Waiting.until(
        () -> {
          AgentInfo now = of("timed");
          return now.state().equals("sleeps")
              && now.workNs() == WORK_NS * now.worked()
              && now.idleNs() == now.idled() + LOOK_NS * (2 + now.sleeps() + 1)
              && now.sleepNs() == LOOK_NS * now.sleeps();
        });
    host.close();
  }

  /** While one works, time is no other's; what is idle or asleep is so for all. */
  @Test
  void onASharedThreadTimeIsOneAgents() {
    AgentChoice shared = new AgentChoice(Optional.of("all"), Set.of(), IdleMode.SLEEP, 20_000_000);
    host.choose(name -> shared);
    Timed first = new Timed("first");
    Timed second = new Timed("second");
    Waiting.until(() -> of("first").sleeps() > 0 && of("second").sleeps() > 0);
    for (int i = 1; i <= 100; i++) {
      first.give(3);
      second.give(5);
      int all = i;
      Waiting.until(() -> of("first").worked() == 3L * all && of("second").worked() == 5L * all);
    }
    // both work, or one does and the other has an empty cycle
    long most = WORK_NS * 800 + 800;
    Waiting.until(
        () -> {
          long work = of("first").workNs() + of("second").workNs();
          return work >= WORK_NS * 800 && work <= most;
        });
    Waiting.until(
        () -> {
          List<AgentInfo> now = host.agents();
          return now.get(0).state().equals("sleeps")
              && now.get(1).state().equals("sleeps")
              && now.stream().allMatch(agent -> agent.sleepNs() == LOOK_NS * agent.sleeps());
        });
    host.close();
  }
}
