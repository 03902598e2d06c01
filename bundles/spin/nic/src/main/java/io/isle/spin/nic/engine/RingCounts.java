package io.isle.spin.nic.engine;

import io.isle.spin.nic.hpus.SpinRings;
import java.util.List;

/**
 * What the HPUs of a context count, over all attachments: each of these begins with other numbers.
 * Thread-safe; control path.
 */
final class RingCounts {
  private static final List<String> NAMES =
      List.of("sends", "sent_bytes", "host_requests", "failed", "text_lost");

  private final long[] before = new long[NAMES.size()];
  private final long[] first = new long[NAMES.size()];
  private SpinRings rings;

  /** An attachment begins. */
  synchronized void begin(SpinRings now) {
    rings = now;
    for (int i = 0; i < first.length; i++) {
      first[i] = 0;
      first[i] = since(i);
    }
  }

  /** The attachment ends, if there is one; what it has counted stays. */
  synchronized void end() {
    for (int i = 0; i < before.length; i++) {
      before[i] += since(i);
    }
    rings = null;
  }

  /** What the present attachment has counted; 0 where its memory is gone. */
  private long since(int counter) {
    try {
      return rings == null ? 0 : rings.counter(NAMES.get(counter)) - first[counter];
    } catch (IllegalStateException e) {
      return 0;
    }
  }

  /** A counter. */
  synchronized long of(String name) {
    int counter = NAMES.indexOf(name);
    return before[counter] + since(counter);
  }
}
