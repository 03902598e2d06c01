package io.isle.core.drivers.groups;

import io.isle.api.base.Errno;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.DevicePort;

/**
 * The completions of one process of a device: of what was submitted to that process, once it is
 * known that there are others. A process that completes another's work is told that no such work is
 * in flight. The agent's thread from then on; allocates nothing.
 */
public final class OwnCompletions implements CompletionSink {
  private final CompletionSink sink;
  private final long[] mine = new long[DevicePort.MAX_INFLIGHT];
  private volatile boolean apart;

  public OwnCompletions(CompletionSink sink) {
    this.sink = sink;
  }

  /** From now on only what {@link #submitted} named is completed. */
  void separate() {
    apart = true;
  }

  /** Before the process can see it. */
  void submitted(long tag) {
    mine[(int) tag] = tag;
  }

  /** It was not taken after all. */
  void withdrawn(long tag) {
    mine[(int) tag] = 0;
  }

  @Override
  public int complete(long tag, int status, long startNs, long endNs, long busyNs, int detail) {
    if (apart) {
      int index = (int) tag;
      if (tag == 0 || index < 0 || index >= mine.length || mine[index] != tag) {
        return -Errno.ESTALE;
      }
      mine[index] = 0;
    }
    return sink.complete(tag, status, startNs, endNs, busyNs, detail);
  }
}
