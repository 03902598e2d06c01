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
 * A thread that runs agents, one duty cycle after the other. An exception of an agent ends this
 * agent only, which is told. The thread ends with its last agent.
 */
final class AgentThread implements Runnable {
  private static final System.Logger LOG = System.getLogger(AgentThread.class.getName());

  /** Of agents that others would stand still for. */
  private static final long PROMPT_SLICE_NS = 100_000;

  private static final HostedAgent[] NONE = {};

  private final String name;
  private final ThreadAssignment assignment;
  private final MonotonicClock clock;
  private final IdleStrategy idle;
  private final Thread thread;

  /** Something has changed in who is to run here, or how. */
  private volatile boolean news = true;

  private volatile IdleMode mode = IdleMode.ADAPTIVE;
  private volatile List<Integer> processors = List.of();

  // The thread's own.
  private HostedAgent[] agents = NONE;
  private AgentBells[] bells = {};
  private boolean[] listening = {};

  /** Whether an agent waits for events that its bells do not tell. */
  private boolean deaf;

  /** Whose cycle was the last that did something; null while none has work. */
  private HostedAgent busy;

  private SharedSleep sleep;
  private boolean prompt;
  private List<String> left = List.of();

  AgentThread(String name, ThreadAssignment assignment, MonotonicClock clock, SpinPermits permits) {
    this.name = name;
    this.assignment = assignment;
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
    while (assignment.hasEnded(this) && thread.isAlive()) {
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
      assignment.giveUp(this).forEach(hosted -> end(hosted, e));
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
        for (HostedAgent hosted : agents) {
          hosted.look();
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
    HostedAgent[] all = agents;
    for (HostedAgent hosted : all) {
      work += cycle(hosted);
    }
    if (work == 0 && busy != null) {
      busy = null;
      enter(AgentCounters.IDLE, all[0].agent.cycleNs());
    }
    return work;
  }

  private int cycle(HostedAgent hosted) {
    try {
      int work = hosted.agent.doWork();
      if (work > 0) {
        hosted.counters.worked();
        if (busy != hosted) {
          turn(hosted, hosted.agent.cycleNs());
        }
      } else {
        hosted.counters.idled();
      }
      return work;
    } catch (Throwable e) {
      fail(hosted, e);
      return 1;
    }
  }

  /** Another one works now; who worked before, or all when none did, wait for it. */
  private void turn(HostedAgent next, long now) {
    if (busy == null) {
      for (HostedAgent hosted : agents) {
        hosted.counters.enter(hosted == next ? AgentCounters.WORKS : AgentCounters.WAITS, now);
      }
    } else {
      busy.counters.enter(AgentCounters.WAITS, now);
      next.counters.enter(AgentCounters.WORKS, now);
    }
    busy = next;
  }

  private void enter(int state, long now) {
    for (HostedAgent hosted : agents) {
      hosted.counters.enter(state, now);
    }
  }

  private void sleep() {
    long wantedNs = Long.MAX_VALUE;
    boolean hurry = false;
    for (int i = 0; i < agents.length; i++) {
      Agent agent = agents[i].agent;
      try {
        wantedNs = Math.min(wantedNs, agent.maxSleepNs());
        listening[i] = agent.isListening();
        hurry |= agent.isPrompt();
      } catch (Throwable e) {
        fail(agents[i], e);
        return;
      }
    }
    pace(hurry);
    enter(AgentCounters.SLEEPS, clock.nanoTime());
    long ns = idle.sleep(wantedNs);
    if (bells.length > 1) {
      sleep.await(bells, listening, deaf ? Math.min(ns, AgentSleeper.MOST_DEAF_NS) : ns);
    } else if (deaf) {
      agents[0].sleeper.sleep(ns);
    } else {
      bells[0].await(ns, listening[0]);
    }
    long woken = clock.nanoTime();
    for (HostedAgent hosted : agents) {
      hosted.counters.slept();
      hosted.counters.enter(AgentCounters.IDLE, woken);
    }
  }

  private void pace(boolean hurry) {
    if (hurry != prompt) {
      prompt = hurry;
      int code = ThreadScheduling.slice(prompt ? PROMPT_SLICE_NS : 0);
      if (code != 0) {
        LOG.log(
            System.Logger.Level.DEBUG,
            "{0}: the scheduling slice of the thread cannot be set: {1}",
            thread.getName(),
            code);
      }
    }
  }

  /** Takes up who is to run here and how; false when there is nobody left. */
  private boolean takeNews() {
    news = false;
    busy = null;
    enter(AgentCounters.IDLE, clock.nanoTime());
    ThreadAssignment.News now = assignment.take(this, List.of(agents));
    agents = now.agents().toArray(NONE);
    bells = new AgentBells[agents.length];
    listening = new boolean[agents.length];
    Arrays.setAll(bells, i -> agents[i].bells);
    deaf = now.agents().stream().anyMatch(hosted -> hosted.sleeper != null);
    if (agents.length == 0) {
      // before anybody hears that the last agent is over
      idle.close();
    }
    now.over().forEach(AgentThread::stop);
    if (agents.length > 0) {
      apply(now.choice());
    }
    now.fresh().forEach(this::begin);
    return agents.length > 0;
  }

  private void apply(ThreadChoice choice) {
    mode = choice.idle();
    idle.choose(choice.idle(), choice.maxSleepNs());
    if (!choice.left().equals(left)) {
      left = choice.left();
      if (!left.isEmpty()) {
        LOG.log(
            System.Logger.Level.WARNING,
            "{0}: the agents of this thread have no processor in common; the processors of {1}"
                + " are ignored",
            thread.getName(),
            String.join(", ", left));
      }
    }
    Set<Integer> wanted =
        choice.processors().isEmpty() ? assignment.processors() : choice.processors();
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

  private void begin(HostedAgent hosted) {
    try {
      hosted.agent.onStart();
      hosted.counters.enter(AgentCounters.IDLE, clock.nanoTime());
    } catch (Throwable e) {
      fail(hosted, e);
    }
  }

  /** Asked to, or because it failed, of which it was told. */
  private static void stop(HostedAgent hosted) {
    if (!hosted.failed) {
      try {
        hosted.agent.onStop();
      } catch (Throwable e) {
        tell(hosted, e);
      }
    }
    var ignored = hosted.over.complete(null);
  }

  /** It runs no more; its place is taken up with the next news. */
  private void fail(HostedAgent hosted, Throwable cause) {
    hosted.failed = true;
    news = true;
    tell(hosted, cause);
  }

  private static void end(HostedAgent hosted, Throwable cause) {
    if (!hosted.failed) {
      tell(hosted, cause);
    }
    var ignored = hosted.over.complete(null);
  }

  private static void tell(HostedAgent hosted, Throwable cause) {
    try {
      hosted.agent.onFailure(cause);
    } catch (Throwable e) {
      if (e != cause) {
        cause.addSuppressed(e);
      }
    }
    LOG.log(
        System.Logger.Level.ERROR,
        hosted.agent.name() + ": the agent ended because of a defect",
        cause);
  }
}
