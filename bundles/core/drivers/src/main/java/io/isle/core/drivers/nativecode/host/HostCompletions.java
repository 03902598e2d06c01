package io.isle.core.drivers.nativecode.host;

import io.isle.api.base.Errno;
import io.isle.api.driver.CompletionSink;
import io.isle.lib.shm.CompletionRing;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * What a host says has ended, on its way to the core, and how often that cannot be: a late
 * completion of what the core has given up is refused, too, but is no breach. The agent's thread
 * only, apart from {@link #owes}; allocates nothing.
 */
final class HostCompletions implements CompletionRing.Handler {
  private final HostTags tags;
  private final UnknownCompletions unknown;
  private CompletionSink sink;

  /** Submissions that the host has and has not completed; only the agent's thread writes it. */
  private final AtomicInteger owed = new AtomicInteger();

  /**
   * @param capacity tags' index is below this
   * @param clock in nanoseconds
   */
  HostCompletions(int capacity, LongSupplier clock) {
    tags = new HostTags(capacity);
    unknown = new UnknownCompletions(clock);
  }

  /** Where they go from now on. */
  void to(CompletionSink newSink) {
    sink = newSink;
  }

  /** The host was given a submission, whose generation is above those before of its index. */
  void given(long tag) {
    tags.given(tag);
    owed.setOpaque(owed.getPlain() + 1);
  }

  @Override
  public void completed(long tag, int status, long start, long end, long busy, int detail) {
    boolean had = tags.ended(tag);
    if (had) {
      owed.setOpaque(owed.getPlain() - 1);
    }
    int result = sink.complete(tag, status, start, end, busy, detail);
    if (result < 0 && !(had && result == -Errno.ESTALE)) {
      unknown.add();
    }
  }

  /** Whether the host has work that it has not completed. Any thread. */
  boolean owes() {
    return owed.getOpaque() > 0;
  }

  /** How often it completed what it does not have. */
  UnknownCompletions unknown() {
    return unknown;
  }
}
