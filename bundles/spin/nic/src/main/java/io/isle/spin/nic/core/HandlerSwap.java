package io.isle.spin.nic.core;

import io.isle.spin.nic.plan.ContextPlan;
import io.isle.spin.nic.plan.NicLimits;

/**
 * The exchange of a context's handlers: {@link #hold}, until {@link #drained}, then {@link
 * #replace}, and {@link #resume} in any case. Packets are taken all the time.
 */
public final class HandlerSwap {
  private final ContextTable contexts;
  private final FairGroups groups;
  private final MessageAborts aborts;

  HandlerSwap(ContextTable contexts, FairGroups groups, MessageAborts aborts) {
    this.contexts = contexts;
    this.groups = groups;
    this.aborts = aborts;
  }

  /** Open messages go on to their end; packets of others, and those that stand alone, wait. */
  public void hold(int slot) {
    contexts.get(slot).hold(true);
  }

  /** Whether no message is open, and no task has to end. */
  public boolean drained(int slot) {
    NicContext context = contexts.get(slot);
    for (int i = 0; i < NicLimits.QUEUES; i++) {
      MessageQueue queue = context.queue(i);
      if (queue.open() || queue.inFlight() > 0) {
        return false;
      }
    }
    return true;
  }

  /** Ends the messages that lack packets; those that do not end by themselves. */
  public void abortOpen(int slot, long nowNs) {
    aborts.abortAll(contexts.get(slot), AbortReason.SWAP, nowNs);
  }

  /** Gives a context that has drained other handlers and rules, but the same group. */
  public void replace(int slot, ContextPlan plan) {
    contexts.replace(slot, plan);
  }

  /** The packets that have waited are handled. */
  public void resume(int slot, long nowNs) {
    NicContext context = contexts.get(slot);
    context.hold(false);
    for (int i = 0; i < NicLimits.QUEUES; i++) {
      MessageQueue queue = context.queue(i);
      queue.resume(nowNs);
      groups.list(queue, nowNs);
    }
  }
}
