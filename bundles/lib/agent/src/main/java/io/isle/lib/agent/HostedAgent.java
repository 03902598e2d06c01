package io.isle.lib.agent;

import io.isle.lib.shm.AgentBells;
import java.util.concurrent.CompletableFuture;

/** An agent in its host, with the thread that runs it. It keeps its counters when it is moved. */
final class HostedAgent {
  final Agent agent;
  final AgentBells bells;
  final AgentCounters counters;

  /** Null without one. */
  final AgentSleeper sleeper;

  /** Done once the agent does nothing more. */
  final CompletableFuture<Void> over = new CompletableFuture<>();

  volatile AgentChoice choice;

  /** The last that was to run it. */
  volatile AgentThread thread;

  volatile boolean stopping;

  /** Nobody waits for its end. */
  volatile boolean abandoned;

  /** Its thread's. */
  boolean failed;

  HostedAgent(Agent agent, AgentBells bells, AgentChoice choice, long now) {
    this.agent = agent;
    this.bells = bells;
    this.choice = choice;
    this.sleeper = agent.sleeper().orElse(null);
    this.counters = new AgentCounters(now);
  }

  /** The name of the thread that is to run it. */
  String threadName() {
    return choice.thread().orElse(agent.name());
  }

  /** Asks it to stop. */
  void ask() {
    stopping = true;
    thread.hasNews();
    wake();
  }

  /** The thread may sleep soon: nothing that wakes the agent is lost from now on. */
  void look() {
    bells.look();
    if (sleeper != null) {
      sleeper.look();
    }
  }

  /** Ends a sleep of the thread, or prevents the next one. */
  void wake() {
    bells.ring();
    if (sleeper != null) {
      sleeper.wake();
    }
  }

  /** Waits until it does nothing more, unless it is its thread that asks. */
  void awaitEnd() {
    if (Thread.currentThread() == thread.thread()) {
      return;
    }
    var ignored = over.join();
    thread.awaitEnd();
  }

  AgentInfo info(long now) {
    AgentThread on = thread;
    AgentCounters.Reading did = counters.read(now);
    return new AgentInfo(
        agent.name(),
        on.name(),
        on.processors(),
        on.mode(),
        did.state(),
        did.worked(),
        did.idled(),
        did.sleeps(),
        did.workNs(),
        did.idleNs(),
        did.sleepNs());
  }
}
