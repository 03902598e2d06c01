package io.isle.lib.agent;

import io.isle.api.base.MonotonicClock;
import io.isle.lib.shm.AgentBells;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Runs agents on daemon threads of this process. Thread-safe. */
public final class ThreadedAgentHost implements AgentHost, AutoCloseable {
  private final SpinPermits permits;
  private final MonotonicClock clock;
  private final ThreadAssignment assignment;

  /**
   * @param spinners as for {@link #spinners(int)}
   * @param clock clock for all times; agents read the same clock
   */
  public ThreadedAgentHost(int spinners, MonotonicClock clock) {
    this.clock = clock;
    permits = new SpinPermits(spinners);
    assignment = new ThreadAssignment(clock, permits);
  }

  /** The number of permits that leaves half of the processors to other threads; at least 1. */
  public static int spinnersFor(int processors) {
    return Math.max(1, processors / 2);
  }

  /**
   * Changes the number of threads that may occupy a processor without work. Threads beyond the new
   * number continue until their next sleep, at the latest at their next cycle without work.
   *
   * @param most 0 or more
   */
  public void spinners(int most) {
    permits.change(most);
  }

  /**
   * Sets the choices for agents from now on. An agent with another thread moves between two of its
   * cycles.
   *
   * @param choices by name of the agent; called in this method and at each start of an agent; must
   *     not block
   */
  public void choose(Function<String, AgentChoice> choices) {
    assignment.choose(choices);
  }

  /** Processors for agents: the processors of the thread that made this host. */
  public Set<Integer> processors() {
    return assignment.processors();
  }

  /** Number of further threads that may spin now; negative while too many threads spin. */
  int spare() {
    return permits.spare();
  }

  @Override
  public Placement start(Agent agent, AgentBells bells) {
    HostedAgent hosted = assignment.start(agent, bells);
    return new Placement() {
      @Override
      public void close() {
        hosted.ask();
        hosted.awaitEnd();
      }

      @Override
      public void abandon(Runnable ended) {
        hosted.abandoned = true;
        assignment.leave(hosted.thread);
        hosted.ask();
        var ignored = hosted.over.thenRun(ended);
      }
    };
  }

  @Override
  public List<AgentInfo> agents() {
    long now = clock.nanoTime();
    return assignment.all().stream().map(hosted -> hosted.info(now)).toList();
  }

  /** Stops all agents and waits for their threads, except for abandoned agents. */
  @Override
  public void close() {
    assignment.close();
    List<HostedAgent> all = assignment.all().stream().filter(hosted -> !hosted.abandoned).toList();
    all.forEach(HostedAgent::ask);
    all.forEach(HostedAgent::awaitEnd);
  }
}
