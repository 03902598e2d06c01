package io.isle.spin.nic.live;

import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import io.isle.api.spin.ContextState;
import io.isle.spin.nic.engine.LiveSlot;
import io.isle.spin.nic.engine.NicAgent;
import io.isle.spin.nic.hpus.AttachedHandlers;
import io.isle.spin.nic.hpus.SpinRings;
import io.isle.spin.nic.plan.ContextPlan;
import java.util.Set;
import java.util.function.Consumer;

/** What becomes of contexts whose HPUs go away, or do wrong. */
final class ContextRecovery {
  /** Another try follows. */
  private static final Set<Integer> AGAIN = Set.of(Errno.ETIME, Errno.EINTR, Errno.EAGAIN);

  private final NicAgent agent;
  private final Consumer<LiveContext> changed;

  /**
   * @param changed told after a change of a state
   */
  ContextRecovery(NicAgent agent, Consumer<LiveContext> changed) {
    this.agent = agent;
    this.changed = changed;
  }

  /** Freezes a context whose process is gone, or about to go; any thread. */
  void look(LiveContext context) {
    if (context.life().recovers()) {
      freeze(context);
    }
  }

  private void freeze(LiveContext context) {
    ContextLife life = context.life();
    agent.run(
        engine -> {
          if (engine.has(life.number, life.slot)) {
            engine.freeze(life.number);
          }
        });
    changed.accept(context);
  }

  /**
   * Looks after a context.
   *
   * @return why it has to end; empty if it goes on
   */
  String tick(LiveContext context) {
    ContextLife life = context.life();
    if (!life.capability.valid()) {
      return "its capability is revoked";
    }
    look(context);
    if (life.state() == ContextState.ATTACHED && life.slot.rings() == null) {
      // its memory is gone without a recovery, as its device context has ended
      life.state(ContextState.RECOVERING, "its memory is gone");
      freeze(context);
    }
    if (life.state() == ContextState.RECOVERING) {
      recover(context);
    }
    return life.state() == ContextState.ATTACHED ? wrong(context) : "";
  }

  private String wrong(LiveContext context) {
    LiveSlot slot = context.life().slot;
    if (!slot.broken().isEmpty()) {
      return slot.broken();
    }
    try {
      SpinRings rings = slot.rings();
      boolean stopped = rings != null && rings.stopped() && agent.call(engine -> rings.busy() == 0);
      // its end waits for the newest trap to be told
      return stopped && context.life().seenStopped() ? "a run of traps" + newest(context) : "";
    } catch (IllegalStateException e) {
      // a recovery begins
      return "";
    }
  }

  private static String newest(LiveContext context) {
    return context
        .trap()
        .map(trap -> "; the newest is " + trap.cause() + " in the " + trap.handler() + " handler")
        .orElse("");
  }

  private void recover(LiveContext context) {
    ContextLife life = context.life();
    try {
      life.handlers.rebuild(0);
    } catch (IsleException e) {
      if (!AGAIN.contains(e.code())) {
        life.state(ContextState.LOST, e.getMessage());
        changed.accept(context);
        life.handlers.close();
      }
      return;
    }
    resume(context, life.handlers);
  }

  /** Packets come to the handlers from now on. */
  void resume(LiveContext context, AttachedHandlers handlers) {
    ContextLife life = context.life();
    ContextPlan plan =
        ContextLife.plan(life.spec, handlers.image(), life.capability, handlers.handlers());
    life.plan = plan;
    agent.run(
        engine -> {
          life.slot.use(handlers.rings());
          engine.core().swap().replace(life.number, plan);
          engine.core().thaw(life.number);
        });
    life.attached(handlers);
    changed.accept(context);
  }
}
