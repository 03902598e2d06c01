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
   * @param spinners as {@link #spinners(int)}
   * @param clock by which time is counted; agents look at the same one
   */
  public ThreadedAgentHost(int spinners, MonotonicClock clock) {
    this.clock = clock;
    permits = new SpinPermits(spinners);
    assignment = new ThreadAssignment(clock, permits);
  }

  /** Spinners that leave half of the processors to others; at least 1. */
  public static int spinnersFor(int processors) {
    return Math.max(1, processors / 2);
  }

  /**
   * Changes how many threads may keep a processor at a time without work. Those beyond it that do
   * now go on until they sleep, at the latest at their next cycle without work.
   *
   * @param most 0 or more
   */
  public void spinners(int most) {
    permits.change(most);
  }

  /**
   * What holds for agents from now on. One that is to run on another thread is moved there between
   * two of its cycles.
   *
   * @param choices by name of the agent; called here and when an agent starts, never blocks
   */
  public void choose(Function<String, AgentChoice> choices) {
    assignment.choose(choices);
  }

  /** Processors that there are for agents: those of the thread that made this. */
  public Set<Integer> processors() {
    return assignment.processors();
  }

  /** How many more threads may spin now; negative while more do than may. */
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

  /** Stops all agents and waits for their threads, but for agents that were abandoned. */
  @Override
  public void close() {
    assignment.close();
    List<HostedAgent> all = assignment.all().stream().filter(hosted -> !hosted.abandoned).toList();
    all.forEach(HostedAgent::ask);
    all.forEach(HostedAgent::awaitEnd);
  }
}
