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
 * Which thread runs which agents. An agent that is to run elsewhere is handed over by its thread,
 * between two of its cycles. Thread-safe; its lock is held for moments, and not while agents are
 * called.
 */
final class Seating {
  private static final System.Logger LOG = System.getLogger(Seating.class.getName());

  private final MonotonicClock clock;
  private final SpinPermits permits;

  /** Where threads that are bound to none may run. */
  private final Set<Integer> processors = Set.copyOf(ThreadAffinity.processors());

  /** Threads to which agents come, by name; without those that an agent is stuck on. */
  private final Map<String, AgentThread> open = new HashMap<>();

  /** Who runs on each thread, or is on the way to it. */
  private final Map<AgentThread, List<AgentSeat>> seats = new HashMap<>();

  private Function<String, AgentChoice> choices = name -> AgentChoice.DEFAULT;
  private boolean closed;

  Seating(MonotonicClock clock, SpinPermits permits) {
    this.clock = clock;
    this.permits = permits;
  }

  /** Who runs on a thread now. */
  record News(
      List<AgentSeat> seats, List<AgentSeat> fresh, List<AgentSeat> over, ThreadChoice choice) {}

  Set<Integer> processors() {
    return processors;
  }

  synchronized AgentSeat start(Agent agent, AgentBells bells) {
    if (closed) {
      throw new IllegalStateException("the service that runs agents is closed");
    }
    AgentChoice choice = choices.apply(agent.name());
    AgentSeat seat = new AgentSeat(agent, bells, choice, clock.nanoTime());
    place(seat);
    return seat;
  }

  /** To a thread that there is, or to a new one; where that cannot be started nothing changes. */
  private void place(AgentSeat seat) {
    AgentThread before = seat.thread;
    AgentThread there = open.get(seat.threadName());
    AgentThread thread =
        there != null ? there : new AgentThread(seat.threadName(), this, clock, permits);
    List<AgentSeat> with = seats.computeIfAbsent(thread, t -> new ArrayList<>());
    with.add(seat);
    seat.thread = thread;
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
        seat.thread = before;
        seats.remove(thread);
      }
    }
  }

  /** Wakes the thread. */
  private void tell(AgentThread thread) {
    thread.hasNews();
    seats.get(thread).forEach(seat -> seat.bells.ring());
  }

  /** What holds for agents from now on, by their names. */
  synchronized void choose(Function<String, AgentChoice> now) {
    choices = now;
    seats.forEach(
        (thread, all) -> {
          boolean changed = false;
          for (AgentSeat seat : all) {
            AgentChoice choice = now.apply(seat.agent.name());
            changed |= !choice.equals(seat.choice);
            seat.choice = choice;
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
   * On the thread: who runs on it from now on. Those that belong elsewhere are on their way when
   * this returns. Without any the thread is over.
   *
   * @param before who did so far
   */
  synchronized News take(AgentThread thread, List<AgentSeat> before) {
    List<AgentSeat> here = seats.get(thread);
    List<AgentSeat> over = here.stream().filter(seat -> seat.failed || seat.stopping).toList();
    here.removeAll(over);
    for (AgentSeat seat : List.copyOf(here)) {
      if (open.get(seat.threadName()) != thread) {
        move(seat, here);
      }
    }
    if (here.isEmpty()) {
      seats.remove(thread);
      leave(thread);
      return new News(List.of(), List.of(), over, null);
    }
    List<AgentSeat> fresh = new ArrayList<>(here);
    fresh.removeAll(new HashSet<>(before));
    SortedMap<String, AgentChoice> chosen = new TreeMap<>();
    here.forEach(seat -> chosen.put(seat.agent.name(), seat.choice));
    return new News(List.copyOf(here), fresh, over, ThreadChoice.of(chosen));
  }

  private void move(AgentSeat seat, List<AgentSeat> from) {
    try {
      place(seat);
      from.remove(seat);
    } catch (Throwable e) {
      LOG.log(
          System.Logger.Level.ERROR,
          seat.agent.name() + " stays on its thread: " + seat.threadName() + " cannot be started",
          e);
    }
  }

  /** On the thread: it can do no more. Returns who was on it. */
  synchronized List<AgentSeat> giveUp(AgentThread thread) {
    leave(thread);
    List<AgentSeat> left = seats.remove(thread);
    return left == null ? List.of() : left;
  }

  /** Whether a thread has nothing to do any more. */
  synchronized boolean hasEnded(AgentThread thread) {
    return !seats.containsKey(thread);
  }

  /** By name. */
  synchronized List<AgentSeat> all() {
    return seats.values().stream()
        .flatMap(List::stream)
        .sorted(Comparator.comparing(seat -> seat.agent.name()))
        .toList();
  }

  /** No agent starts any more. */
  synchronized void close() {
    closed = true;
  }
}
