package io.isle.lib.agent;

import io.isle.api.base.MonotonicClock;
import io.isle.lib.ffi.ThreadAffinity;
import io.isle.lib.shm.AgentBells;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Assignment of agents to threads. A thread hands an agent over to another thread itself, between
 * two of the agent's cycles. Thread-safe; the lock is held only for moments, and never during calls
 * of agents.
 */
final class ThreadAssignment {
  private static final System.Logger LOG = System.getLogger(ThreadAssignment.class.getName());

  private final MonotonicClock clock;
  private final SpinPermits permits;

  /** Where threads that are bound to none may run. */
  private final Set<Integer> processors = Set.copyOf(ThreadAffinity.processors());

  /** Threads to which agents come, by name; without those that an agent is stuck on. */
  private final Map<String, AgentThread> open = new HashMap<>();

  /** The agents of each thread, those on their way to the thread included. */
  private final Map<AgentThread, List<HostedAgent>> agents = new HashMap<>();

  private Function<String, AgentChoice> choices = name -> AgentChoice.DEFAULT;
  private boolean closed;

  ThreadAssignment(MonotonicClock clock, SpinPermits permits) {
    this.clock = clock;
    this.permits = permits;
  }

  /** The agents that run on a thread now, and those that have come or ended. */
  record News(
      List<HostedAgent> agents,
      List<HostedAgent> fresh,
      List<HostedAgent> over,
      ThreadChoice choice) {}

  Set<Integer> processors() {
    return processors;
  }

  synchronized HostedAgent start(Agent agent, AgentBells bells) {
    if (closed) {
      throw new IllegalStateException("the host of agents is closed");
    }
    AgentChoice choice = choice(agent);
    HostedAgent hosted = new HostedAgent(agent, bells, choice, clock.nanoTime());
    place(hosted);
    return hosted;
  }

  private AgentChoice choice(Agent agent) {
    AgentChoice chosen = choices.apply(agent.name());
    return chosen.processors().isEmpty() ? chosen.on(agent.processors()) : chosen;
  }

  /** To a thread that there is, or to a new one; where that cannot be started nothing changes. */
  private void place(HostedAgent hosted) {
    AgentThread before = hosted.thread;
    AgentThread there = open.get(hosted.threadName());
    AgentThread thread =
        there != null ? there : new AgentThread(hosted.threadName(), this, clock, permits);
    List<HostedAgent> with = agents.computeIfAbsent(thread, t -> new ArrayList<>());
    with.add(hosted);
    hosted.thread = thread;
    if (there != null) {
      tell(thread);
      return;
    }
    boolean started = false;
    try {
      thread.start();
      open.put(thread.name(), thread);
      started = true;
    } finally {
      if (!started) {
        hosted.thread = before;
        agents.remove(thread);
      }
    }
  }

  /** Wakes the thread. */
  private void tell(AgentThread thread) {
    thread.hasNews();
    agents.get(thread).forEach(HostedAgent::wake);
  }

  /** What holds for agents from now on, by their names. */
  synchronized void choose(Function<String, AgentChoice> now) {
    choices = now;
    agents.forEach(
        (thread, all) -> {
          boolean changed = false;
          for (HostedAgent hosted : all) {
            AgentChoice choice = choice(hosted.agent);
            changed |= !choice.equals(hosted.choice);
            hosted.choice = choice;
          }
          if (changed) {
            tell(thread);
          }
        });
  }

  /** No further agent comes to the thread, and those that are there leave when they can. */
  synchronized void leave(AgentThread thread) {
    boolean ignored = open.remove(thread.name(), thread);
  }

  /**
   * Called on the thread; gives the agents that run on it from now on. Those that belong elsewhere
   * are on their way when this returns. Without any the thread is over.
   *
   * @param before the agents that ran on it so far
   */
  synchronized News take(AgentThread thread, List<HostedAgent> before) {
    List<HostedAgent> here = agents.get(thread);
    List<HostedAgent> over =
        here.stream().filter(hosted -> hosted.failed || hosted.stopping).toList();
    here.removeAll(over);
    for (HostedAgent hosted : List.copyOf(here)) {
      if (open.get(hosted.threadName()) != thread) {
        move(hosted, here);
      }
    }
    if (here.isEmpty()) {
      agents.remove(thread);
      leave(thread);
      return new News(List.of(), List.of(), over, null);
    }
    List<HostedAgent> fresh = new ArrayList<>(here);
    fresh.removeAll(new HashSet<>(before));
    SortedMap<String, AgentChoice> chosen = new TreeMap<>();
    here.forEach(hosted -> chosen.put(hosted.agent.name(), hosted.choice));
    return new News(List.copyOf(here), fresh, over, ThreadChoice.of(chosen));
  }

  private void move(HostedAgent hosted, List<HostedAgent> from) {
    try {
      place(hosted);
      from.remove(hosted);
    } catch (Throwable e) {
      LOG.log(
          System.Logger.Level.ERROR,
          hosted.agent.name()
              + " stays on its thread: "
              + hosted.threadName()
              + " cannot be started",
          e);
    }
  }

  /** Called on the thread when it cannot go on. Returns the agents that were on it. */
  synchronized List<HostedAgent> giveUp(AgentThread thread) {
    leave(thread);
    List<HostedAgent> left = agents.remove(thread);
    return left == null ? List.of() : left;
  }

  /** Whether a thread has nothing to do any more. */
  synchronized boolean hasEnded(AgentThread thread) {
    return !agents.containsKey(thread);
  }

  /** By name. */
  synchronized List<HostedAgent> all() {
    return agents.values().stream()
        .flatMap(List::stream)
        .sorted(Comparator.comparing(hosted -> hosted.agent.name()))
        .toList();
  }

  /** No agent starts any more. */
  synchronized void close() {
    closed = true;
  }
}
