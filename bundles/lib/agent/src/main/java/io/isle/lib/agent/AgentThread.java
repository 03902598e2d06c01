package io.isle.lib.agent;

import io.isle.api.base.MonotonicClock;
import io.isle.lib.ffi.ThreadAffinity;
import io.isle.lib.ffi.ThreadScheduling;
import io.isle.lib.shm.AgentBells;
import io.isle.lib.shm.SharedSleep;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * A thread that runs agents, one duty cycle after the other. An agent is told of whatever it
 * throws; that is its end and no other's. The thread ends with its last agent.
 */
final class AgentThread implements Runnable {
  private static final System.Logger LOG = System.getLogger(AgentThread.class.getName());

  /** Of agents that others would stand still for. */
  private static final long PROMPT_SLICE_NS = 100_000;

  private static final AgentSeat[] NONE = {};

  private final String name;
  private final Seating seating;
  private final MonotonicClock clock;
  private final IdleStrategy idle;
  private final Thread thread;

  /** Something has changed in who is to run here, or how. */
  private volatile boolean news = true;

  private volatile IdleMode mode = IdleMode.ADAPTIVE;
  private volatile List<Integer> processors = List.of();

  // The thread's own.
  private AgentSeat[] seats = NONE;
  private AgentBells[] bells = {};
  private boolean[] listening = {};

  /** Whose cycle was the last that did something; null while none has work. */
  private AgentSeat busy;

  private SharedSleep sleep;
  private boolean prompt;
  private List<String> left = List.of();

  AgentThread(String name, Seating seating, MonotonicClock clock, SpinPermits permits) {
    this.name = name;
    this.seating = seating;
    this.clock = clock;
    this.idle = new IdleStrategy(permits);
    this.thread = Thread.ofPlatform().daemon().name("isle-agent-" + name).unstarted(this);
  }

  String name() {
    return name;
  }

  Thread thread() {
    return thread;
  }

  IdleMode mode() {
    return mode;
  }

  /** Those that it is bound to; none for any. */
  List<Integer> processors() {
    return processors;
  }

  void start() {
    thread.start();
  }

  /** To be followed by a ring at one of its agents. */
  void hasNews() {
    news = true;
  }

  /** Returns once the thread has ended, if it was told to. */
  void awaitEnd() {
    boolean interrupted = false;
    while (seating.hasEnded(this) && thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void run() {
    try (Arena arena = Arena.ofConfined()) {
      sleep = new SharedSleep(arena);
      loop();
    } catch (Throwable e) {
      seating.giveUp(this).forEach(seat -> end(seat, e));
    } finally {
      idle.close();
    }
  }

  private void loop() {
    while (true) {
      if (news) {
        if (!takeNews()) {
          return;
        }
      } else if (cycles() > 0) {
        idle.worked();
      } else if (idle.sleepy()) {
        for (AgentSeat seat : seats) {
          seat.bells.look();
        }
        if (cycles() > 0) {
          idle.worked();
        } else if (!news) {
          sleep();
        }
      }
    }
  }

  /** A cycle of each agent; returns how much was done. */
  private int cycles() {
    int work = 0;
    AgentSeat[] all = seats;
    for (AgentSeat seat : all) {
      work += cycle(seat);
    }
    if (work == 0 && busy != null) {
      busy = null;
      enter(AgentCounters.IDLE, all[0].agent.cycleNs());
    }
    return work;
  }

  private int cycle(AgentSeat seat) {
    try {
      int work = seat.agent.doWork();
      if (work > 0) {
        seat.counters.worked();
        if (busy != seat) {
          turn(seat, seat.agent.cycleNs());
        }
      } else {
        seat.counters.idled();
      }
      return work;
    } catch (Throwable e) {
      fail(seat, e);
      return 1;
    }
  }

  /** Another one works now; who worked before, or all when none did, wait for it. */
  private void turn(AgentSeat next, long now) {
    if (busy == null) {
      for (AgentSeat seat : seats) {
        seat.counters.enter(seat == next ? AgentCounters.WORKS : AgentCounters.WAITS, now);
      }
    } else {
      busy.counters.enter(AgentCounters.WAITS, now);
      next.counters.enter(AgentCounters.WORKS, now);
    }
    busy = next;
  }

  private void enter(int state, long now) {
    for (AgentSeat seat : seats) {
      seat.counters.enter(state, now);
    }
  }

  private void sleep() {
    long wantedNs = Long.MAX_VALUE;
    boolean hurry = false;
    for (int i = 0; i < seats.length; i++) {
      Agent agent = seats[i].agent;
      try {
        wantedNs = Math.min(wantedNs, agent.maxSleepNs());
        listening[i] = agent.isListening();
        hurry |= agent.isPrompt();
      } catch (Throwable e) {
        fail(seats[i], e);
        return;
      }
    }
    pace(hurry);
    enter(AgentCounters.SLEEPS, clock.nanoTime());
    long ns = idle.sleep(wantedNs);
    if (bells.length == 1) {
      bells[0].await(ns, listening[0]);
    } else {
      sleep.await(bells, listening, ns);
    }
    long woken = clock.nanoTime();
    for (AgentSeat seat : seats) {
      seat.counters.slept();
      seat.counters.enter(AgentCounters.IDLE, woken);
    }
  }

  private void pace(boolean hurry) {
    if (hurry != prompt) {
      prompt = hurry;
      int code = ThreadScheduling.slice(prompt ? PROMPT_SLICE_NS : 0);
      if (code != 0) {
        LOG.log(System.Logger.Level.DEBUG, "{0} runs as any thread: {1}", thread.getName(), code);
      }
    }
  }

  /** Takes up who is to run here and how; false when there is nobody left. */
  private boolean takeNews() {
    news = false;
    busy = null;
    enter(AgentCounters.IDLE, clock.nanoTime());
    Seating.News now = seating.take(this, List.of(seats));
    seats = now.seats().toArray(NONE);
    bells = new AgentBells[seats.length];
    listening = new boolean[seats.length];
    Arrays.setAll(bells, i -> seats[i].bells);
    if (seats.length == 0) {
      // before anybody hears that the last agent is over
      idle.close();
    }
    now.over().forEach(AgentThread::stop);
    if (seats.length > 0) {
      apply(now.choice());
    }
    now.fresh().forEach(this::begin);
    return seats.length > 0;
  }

  private void apply(ThreadChoice choice) {
    mode = choice.idle();
    idle.choose(choice.idle(), choice.maxSleepNs());
    if (!choice.left().equals(left)) {
      left = choice.left();
      if (!left.isEmpty()) {
        LOG.log(
            System.Logger.Level.WARNING,
            "{0}: its agents have no processor in common; those of {1} do not count",
            thread.getName(),
            String.join(", ", left));
      }
    }
    Set<Integer> wanted =
        choice.processors().isEmpty() ? seating.processors() : choice.processors();
    if (!wanted.equals(ThreadAffinity.processors())) {
      int code = ThreadAffinity.pin(wanted);
      if (code != 0) {
        LOG.log(
            System.Logger.Level.WARNING,
            "{0} cannot be bound to processors {1}: {2}",
            thread.getName(),
            wanted,
            code);
        return;
      }
    }
    processors = new ArrayList<>(choice.processors());
  }

  private void begin(AgentSeat seat) {
    try {
      seat.agent.onStart();
      seat.counters.enter(AgentCounters.IDLE, clock.nanoTime());
    } catch (Throwable e) {
      fail(seat, e);
    }
  }

  /** Asked to, or because it failed, of which it was told. */
  private static void stop(AgentSeat seat) {
    if (!seat.failed) {
      try {
        seat.agent.onStop();
      } catch (Throwable e) {
        tell(seat, e);
      }
    }
    var ignored = seat.over.complete(null);
  }

  /** It runs no more; its place is taken up with the next news. */
  private void fail(AgentSeat seat, Throwable cause) {
    seat.failed = true;
    news = true;
    tell(seat, cause);
  }

  private static void end(AgentSeat seat, Throwable cause) {
    if (!seat.failed) {
      tell(seat, cause);
    }
    var ignored = seat.over.complete(null);
  }

  private static void tell(AgentSeat seat, Throwable cause) {
    try {
      seat.agent.onFailure(cause);
    } catch (Throwable e) {
      if (e != cause) {
        cause.addSuppressed(e);
      }
    }
    LOG.log(System.Logger.Level.ERROR, seat.agent.name() + ": its agent ended by a defect", cause);
  }
}
