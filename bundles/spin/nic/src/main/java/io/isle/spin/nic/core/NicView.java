package io.isle.spin.nic.core;

import io.isle.spin.nic.plan.NicLimits;
import java.util.Locale;
import java.util.function.Consumer;

/** What queues and HPUs do at the moment. */
public final class NicView {
  private final ContextTable contexts;
  private final Hpus hpus;

  NicView(ContextTable contexts, Hpus hpus) {
    this.contexts = contexts;
    this.hpus = hpus;
  }

  /**
   * A queue.
   *
   * @param state in lower case
   * @param message id of its message
   * @param waiting packets that no task has
   * @param running tasks that have been taken and have not ended
   */
  public record Queue(
      int queue, String state, int message, int waiting, int running, long lastPacketNs) {}

  /** Shows the queues of a context that have a message, packets or tasks. */
  public void queues(int slot, Consumer<Queue> to) {
    NicContext context = contexts.get(slot);
    for (int i = 0; i < NicLimits.QUEUES; i++) {
      MessageQueue queue = context.queue(i);
      if (queue.open() || queue.packets() > 0 || queue.inFlight() > 0) {
        to.accept(
            new Queue(
                i,
                queue.state().name().toLowerCase(Locale.ROOT),
                queue.open() ? queue.message().id() : 0,
                queue.packets(),
                queue.inFlight(),
                queue.message().lastPacketNs()));
      }
    }
  }

  /** Shows the tasks that run; each is valid during the call. */
  public void tasks(Consumer<NicTask> to) {
    for (int i = 0; i < hpus.size(); i++) {
      NicTask task = hpus.at(i);
      if (task != null) {
        to.accept(task);
      }
    }
  }

  /** Whether a context has a message, packets or tasks: time matters. */
  public boolean isBusy(int slot) {
    NicContext context = contexts.at(slot);
    return context != null && context.slots().usedSmall() + context.slots().usedLarge() > 0;
  }
}
