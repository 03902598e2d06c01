package io.isle.spin.nic.engine;

import io.isle.api.base.Errno;
import io.isle.api.spin.SpinException;
import io.isle.lib.agent.Agent;
import io.isle.lib.agent.AgentHost;
import io.isle.lib.agent.AgentSleeper;
import io.isle.lib.agent.BoundedWait;
import io.isle.lib.shm.AgentBells;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The agent of an interface: it polls while handlers run, and sleeps until frames come otherwise.
 * Other threads give it orders, which it does between two cycles.
 */
public final class NicAgent implements Agent, AutoCloseable {
  private static final int BELL_BYTES = 64;
  private static final int PATIENCE = 2_000;
  private static final long HOST_WAIT_NS = 50_000;
  private static final long NO_DESCRIPTOR_NS = 1_000_000;
  private static final long TIMERS_NS = 10_000_000;
  private static final BoundedWait WAIT =
      new BoundedWait(
          Duration.ofSeconds(30), what -> what + ": the interface has ended", SpinException::new);

  private final String name;
  private final NicEngine engine;
  private final NicSleeper sleeper;
  private final Arena arena = Arena.ofShared();
  private final AgentBells bells;
  private final ConcurrentLinkedQueue<FutureTask<?>> orders = new ConcurrentLinkedQueue<>();
  private AgentHost.Placement placement;
  private int idle;
  private long cycleNs;
  private volatile String failure = "";

  /**
   * @param name of the interface
   */
  public NicAgent(String name, NicEngine engine) {
    this.name = name;
    this.engine = engine;
    sleeper = new NicSleeper(engine);
    bells = new AgentBells(arena.allocate(BELL_BYTES, BELL_BYTES), arena);
  }

  public void start(AgentHost host) {
    placement = host.start(this, bells);
  }

  /**
   * Does something with the engine on the agent's thread, and waits for it. Any thread but the
   * agent's.
   *
   * @throws SpinException ECLOSED after the end; ETIMEDOUT
   */
  public <T> T call(Function<NicEngine, T> order) {
    FutureTask<T> task = new FutureTask<>(() -> order.apply(engine));
    orders.add(task);
    if (!failure.isEmpty()) {
      throw new SpinException(Errno.ECLOSED, name + ": " + failure);
    }
    bells.ring();
    sleeper.wake();
    return WAIT.result(name, task);
  }

  /** As {@link #call}, without a result. */
  public void run(Consumer<NicEngine> order) {
    boolean ignored =
        call(
            all -> {
              order.accept(all);
              return true;
            });
  }

  /** Why the agent has ended; empty while it works. */
  public String failure() {
    return failure;
  }

  @Override
  public String name() {
    return "spin-" + name;
  }

  @Override
  public int doWork() {
    int work = 0;
    for (FutureTask<?> order = orders.poll(); order != null; order = orders.poll()) {
      order.run();
      work++;
    }
    work += engine.cycle();
    cycleNs = engine.nowNs();
    if (work == 0 && engine.runs()) {
      // nobody rings at the end of a handler; a long one leaves the processor to others
      if (++idle % PATIENCE == 0) {
        Thread.yield();
      }
      return 1;
    }
    return work;
  }

  @Override
  public long cycleNs() {
    return cycleNs;
  }

  @Override
  public long maxSleepNs() {
    if (engine.waits()) {
      return HOST_WAIT_NS;
    }
    if (engine.hasBlindPort()) {
      return NO_DESCRIPTOR_NS;
    }
    return engine.hasTimers() ? TIMERS_NS : Long.MAX_VALUE;
  }

  @Override
  public boolean isListening() {
    return false;
  }

  @Override
  public boolean isPrompt() {
    return true;
  }

  @Override
  public Optional<AgentSleeper> sleeper() {
    return Optional.of(sleeper);
  }

  @Override
  public void onStop() {
    cancel("the interface has ended");
  }

  @Override
  public void onFailure(Throwable cause) {
    cancel("ended because of a defect: " + cause);
  }

  private void cancel(String why) {
    if (failure.isEmpty()) {
      failure = why;
    }
    for (FutureTask<?> order = orders.poll(); order != null; order = orders.poll()) {
      boolean ignored = order.cancel(false);
    }
  }

  /** Ends the agent; its engine is not used any more. */
  @Override
  public void close() {
    if (placement != null) {
      placement.close();
    }
    cancel("the interface has ended");
    sleeper.close();
    arena.close();
  }
}
