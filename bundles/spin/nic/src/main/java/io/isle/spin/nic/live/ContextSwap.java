package io.isle.spin.nic.live;

import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import io.isle.api.spin.ContextSpec;
import io.isle.api.spin.ContextState;
import io.isle.api.spin.HandlerImage;
import io.isle.api.spin.SpinException;
import io.isle.spin.nic.engine.NicAgent;
import io.isle.spin.nic.engine.NicEngine;
import io.isle.spin.nic.plan.ContextPlan;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The exchange of the handlers of a context at work, in steps that do not wait. A recovery in the
 * middle comes first. Belongs to {@link NicThread}.
 */
final class ContextSwap {
  /** Time for handlers that run to end, when all open messages are aborted. */
  static final long LONGEST_TASK_NS = 10_000_000_000L;

  private enum Phase {
    WAITS,
    DRAINS,
    ABORTS
  }

  private final ContextLife life;
  private final ContextSpec spec;
  private final HandlerImage image;
  private final long swapNs;
  private final NicAgent agent;
  private final CompletableFuture<Boolean> over;
  private Phase phase = Phase.WAITS;
  private long sinceNs;

  /**
   * @param spec of the context from then on
   * @param swapNs time for open messages to end
   * @param over told the end, or why the old handlers stay; who cancels it wants the new ones no
   *     more
   */
  ContextSwap(
      ContextLife life,
      ContextSpec spec,
      HandlerImage image,
      long swapNs,
      NicAgent agent,
      CompletableFuture<Boolean> over) {
    this.life = life;
    this.spec = spec;
    this.image = image;
    this.swapNs = swapNs;
    this.agent = agent;
    this.over = over;
    life.wanted = spec;
  }

  ContextLife life() {
    return life;
  }

  HandlerImage image() {
    return image;
  }

  /** The next step ends it. */
  void refuse(SpinException why) {
    boolean ignored = over.completeExceptionally(why);
  }

  /**
   * Does what can be done now.
   *
   * @return whether it is over
   */
  boolean step(long nowNs) {
    try {
      if (over.isDone()) {
        throw new SpinException(Errno.ECANCELED, life.spec.name() + ": nobody waits for it");
      }
      boolean ends =
          switch (life.state()) {
            case ATTACHED -> !life.handlers.interrupted() && exchanges(nowNs);
            case RECOVERING -> false;
            case LOST -> throw new SpinException(Errno.EINTR, life.spec.name() + " is lost");
            case DETACHED -> throw life.closed();
          };
      if (ends) {
        end(null);
      }
      return ends;
    } catch (RuntimeException e) {
      if (isRecovery(e)) {
        return false;
      }
      end(e);
      return true;
    }
  }

  /** Whether a recovery is the reason, after which it goes on. */
  private boolean isRecovery(RuntimeException e) {
    return e instanceof IsleException known
        && known.code() == Errno.EINTR
        && life.state() != ContextState.LOST;
  }

  private boolean exchanges(long nowNs) {
    if (phase == Phase.WAITS) {
      enter(Phase.DRAINS, nowNs, engine -> engine.core().swap().hold(life.number));
    }
    if (agent.call(engine -> engine.core().swap().drained(life.number))) {
      exchange();
      return true;
    }
    if (phase == Phase.DRAINS && nowNs - sinceNs >= swapNs) {
      enter(
          Phase.ABORTS,
          nowNs,
          engine -> engine.core().swap().abortOpen(life.number, engine.tick()));
    } else if (phase == Phase.ABORTS && nowNs - sinceNs >= LONGEST_TASK_NS) {
      throw new SpinException(
          Errno.ETIMEDOUT, life.spec.name() + ": its handlers do not end; it keeps them");
    }
    return false;
  }

  private void enter(Phase next, long nowNs, Consumer<NicEngine> order) {
    phase = next;
    sinceNs = nowNs;
    agent.run(order);
  }

  private void exchange() {
    agent.run(
        engine -> {
          engine.drain(life.number);
          life.slot.pause();
        });
    try {
      life.handlers.replace(image);
      life.spec = spec;
      life.slot.calls().reply(spec.hostReply());
    } finally {
      // the new ones, or again the old ones
      ContextPlan plan =
          ContextLife.plan(
              life.spec, life.handlers.image(), life.capability, life.handlers.handlers());
      life.plan = plan;
      agent.run(engine -> use(engine, plan));
    }
  }

  private void use(NicEngine engine, ContextPlan plan) {
    if (life.isAttached()) {
      life.slot.use(life.handlers.rings());
      engine.core().swap().replace(life.number, plan);
    }
  }

  private void end(RuntimeException why) {
    if (why != null && life.wanted == spec) {
      life.wanted = life.spec;
    }
    try {
      if (phase != Phase.WAITS) {
        agent.run(this::resume);
      }
    } catch (SpinException e) {
      // the interface has ended, and the context with it
      if (why != null) {
        why.addSuppressed(e);
      }
    }
    boolean ignored = why == null ? over.complete(true) : over.completeExceptionally(why);
  }

  private void resume(NicEngine engine) {
    if (engine.has(life.number, life.slot)) {
      engine.core().swap().resume(life.number, engine.tick());
    }
  }
}
