package io.isle.lib.agent;

import io.isle.lib.ffi.ThreadScheduling;
import io.isle.lib.shm.AgentBells;
import java.util.concurrent.CompletableFuture;

/** The thread of one agent, which is told of whatever it throws; that is its end. */
final class AgentThread implements Runnable {
  private static final System.Logger LOG = System.getLogger(AgentThread.class.getName());

  /** Of an agent that others would stand still for. */
  private static final long PROMPT_SLICE_NS = 100_000;

  private final Agent agent;
  private final AgentBells bells;
  private final IdleStrategy idle;
  private final Thread thread;
  private final CompletableFuture<Void> over = new CompletableFuture<>();
  private volatile boolean stopping;
  private boolean prompt;

  AgentThread(Agent agent, AgentBells bells, IdleStrategy idle) {
    this.agent = agent;
    this.bells = bells;
    this.idle = idle;
    this.thread = Thread.ofPlatform().daemon().name("isle-agent-" + agent.name()).unstarted(this);
  }

  void start() {
    thread.start();
  }

  /** Asks the thread to end. */
  void ask() {
    stopping = true;
    bells.ring();
  }

  /**
   * Runs {@code then} once the agent does nothing more, on its thread unless that is so already.
   */
  void onEnd(Runnable then) {
    var ignored = over.thenRun(then);
  }

  /** Returns once the thread has ended, unless it is the caller. */
  void stop() {
    ask();
    if (Thread.currentThread() == thread) {
      return;
    }
    boolean interrupted = false;
    while (thread.isAlive()) {
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
    try {
      agent.onStart();
      while (!stopping) {
        if (agent.doWork() > 0) {
          idle.worked();
        } else if (idle.sleepy()) {
          bells.look();
          if (agent.doWork() > 0) {
            idle.worked();
          } else if (!stopping) {
            pace();
            idle.sleep(agent.maxSleepNs(), agent.isListening());
          }
        }
      }
      agent.onStop();
    } catch (Throwable e) {
      failed(e);
    } finally {
      idle.close();
      var ignored = over.complete(null);
    }
  }

  private void failed(Throwable cause) {
    try {
      agent.onFailure(cause);
    } catch (Throwable e) {
      if (e != cause) {
        cause.addSuppressed(e);
      }
    }
    LOG.log(System.Logger.Level.ERROR, agent.name() + ": its agent ended by a defect", cause);
  }

  private void pace() {
    if (agent.isPrompt() != prompt) {
      prompt = !prompt;
      int code = ThreadScheduling.slice(prompt ? PROMPT_SLICE_NS : 0);
      if (code != 0) {
        LOG.log(System.Logger.Level.DEBUG, "{0} runs as any thread: {1}", agent.name(), code);
      }
    }
  }
}
