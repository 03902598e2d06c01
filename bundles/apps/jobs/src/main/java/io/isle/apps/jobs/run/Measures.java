package io.isle.apps.jobs.run;

import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What a running job counts. Thread-safe. */
final class Measures {
  final LongAdder bytes = new LongAdder();
  final LongAdder blocks = new LongAdder();

  /** Values for claims. */
  Map<String, Double> values(long elapsedNs) {
    return Map.of(
        "bytes",
        (double) bytes.sum(),
        "blocks",
        (double) blocks.sum(),
        "seconds",
        elapsedNs / 1e9,
        "retries",
        0.0,
        "recoveries",
        0.0);
  }
}
