package io.isle.benchmarks.ring;

import io.isle.benchmarks.Settings;
import java.io.IOException;

/**
 * The pair of processes of the case before, which the next case goes on with if it fits. All cases
 * of a smoke run have one pair: most of its time would be the starts of JVMs.
 */
final class RingPairs implements AutoCloseable {
  private final Settings settings;
  private RingPair last;

  RingPairs(Settings settings) {
    this.settings = settings;
  }

  RingPair of(RingKind kind) throws IOException {
    if (last != null && last.kind().equals(kind)) {
      return last;
    }
    if (last != null && settings.smoke()) {
      last.become(kind);
    } else {
      close();
      last = new RingPair(settings, kind);
    }
    return last;
  }

  @Override
  public void close() throws IOException {
    RingPair before = last;
    last = null;
    if (before != null) {
      before.close();
    }
  }
}
