package io.isle.spin.nic.engine;

import io.isle.api.spin.TextPart;
import io.isle.lib.kabi.SpinStructs;
import io.isle.spin.nic.hpus.SpinRings;
import java.nio.charset.StandardCharsets;

/**
 * The newest text of a context's handlers. One thread writes; any thread reads, without a lock:
 * what was overwritten meanwhile is left out.
 */
public final class TextLog {
  private static final int BYTES = SpinStructs.TEXT;

  private final byte[] taken = new byte[BYTES];
  private final byte[] kept = new byte[BYTES];

  /** Bytes that are being written, and bytes that are there. */
  private volatile long begun;

  private volatile long written;

  /**
   * Takes what has been printed.
   *
   * @return bytes, or a negated code
   */
  int take(SpinRings rings) {
    int count = rings.text(taken);
    if (count > 0) {
      long at = written;
      begun = at + count;
      for (int i = 0; i < count; i++) {
        kept[(int) ((at + i) % BYTES)] = taken[i];
      }
      written = at + count;
    }
    return count;
  }

  public TextPart from(long position) {
    long end = written;
    long first = Math.clamp(position, Math.max(0, end - BYTES), end);
    byte[] copy = new byte[(int) (end - first)];
    for (int i = 0; i < copy.length; i++) {
      copy[i] = kept[(int) ((first + i) % BYTES)];
    }
    // what a further text has begun to replace
    int torn = Math.clamp(begun - BYTES - first, 0, copy.length);
    return new TextPart(
        first + torn, new String(copy, torn, copy.length - torn, StandardCharsets.US_ASCII));
  }
}
