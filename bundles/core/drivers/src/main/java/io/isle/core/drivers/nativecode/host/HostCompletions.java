package io.isle.core.drivers.nativecode.host;

import io.isle.api.base.Errno;
import io.isle.api.driver.CompletionSink;
import io.isle.lib.shm.CompletionRing;
import java.util.function.LongSupplier;

/**
 * What a host says has ended, on its way to the core, and how often that cannot be: a late
 * completion of what the core has given up is refused, too, but is no breach. The agent's thread
 * only; allocates nothing.
 */
final class HostCompletions implements CompletionRing.Handler {
  private final HostTags tags;
  private final UnknownCompletions unknown;
  private CompletionSink sink;

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
  }

  @Override
  public void completed(long tag, int status, long start, long end, long busy, int detail) {
    boolean owed = tags.ended(tag);
    int result = sink.complete(tag, status, start, end, busy, detail);
    if (result < 0 && !(owed && result == -Errno.ESTALE)) {
      unknown.add();
    }
  }

  /** How often it completed what it does not have. */
  UnknownCompletions unknown() {
    return unknown;
  }
}
