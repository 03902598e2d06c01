package io.isle.spin.nic.core;

import io.isle.api.spin.Rulesets;
import io.isle.spin.nic.plan.NicLimits;

/** Ends messages that lack packets. */
final class MessageAborts {
  private final ContextTable contexts;
  private final FairGroups groups;
  private final Hpus hpus;
  private final NicOutput output;

  MessageAborts(ContextTable contexts, FairGroups groups, Hpus hpus, NicOutput output) {
    this.contexts = contexts;
    this.groups = groups;
    this.hpus = hpus;
    this.output = output;
  }

  int expire(long timeoutNs, long nowNs) {
    int aborted = 0;
    for (int slot = 0; slot < Rulesets.SLOTS; slot++) {
      NicContext context = contexts.at(slot);
      for (int i = 0; context != null && i < NicLimits.QUEUES; i++) {
        MessageQueue queue = context.queue(i);
        if (queue.lacksPackets() && nowNs - queue.message().lastPacketNs() >= timeoutNs) {
          abort(queue, AbortReason.TIMEOUT, nowNs);
          aborted++;
        }
      }
    }
    return aborted;
  }

  boolean abortOldest(long nowNs) {
    MessageQueue oldest = null;
    for (int slot = 0; slot < Rulesets.SLOTS; slot++) {
      NicContext context = contexts.at(slot);
      for (int i = 0; context != null && i < NicLimits.QUEUES; i++) {
        MessageQueue queue = context.queue(i);
        if (queue.stuck()
            && (oldest == null || queue.message().begunNs() - oldest.message().begunNs() < 0)) {
          oldest = queue;
        }
      }
    }
    if (oldest == null) {
      return false;
    }
    abort(oldest, AbortReason.ROOM, nowNs);
    return true;
  }

  /** Ends the messages of a context that lack packets. */
  void abortAll(NicContext context, AbortReason reason, long nowNs) {
    for (int i = 0; i < NicLimits.QUEUES; i++) {
      MessageQueue queue = context.queue(i);
      if (queue.lacksPackets()) {
        abort(queue, reason, nowNs);
      }
    }
  }

  private void abort(MessageQueue queue, AbortReason reason, long nowNs) {
    output.aborted(queue.context().index(), queue.message().id(), reason);
    hpus.cancel(queue);
    queue.abort(nowNs);
    groups.list(queue, nowNs);
  }

  /** Ends all messages and tasks of a context, and loses its packets. */
  void stop(NicContext context, AbortReason reason, long nowNs) {
    for (int i = 0; i < NicLimits.QUEUES; i++) {
      MessageQueue queue = context.queue(i);
      if (queue.open() && queue.state() != QueueState.ABORTING) {
        context.counters().aborted++;
        output.aborted(context.index(), queue.message().id(), reason);
      }
    }
    context.share().removeAll(context);
    hpus.remove(context, nowNs);
    context.clear();
  }
}
