package io.isle.spin.nic.engine;

import io.isle.api.spin.TextPart;
import io.isle.lib.kabi.SpinStructs;
import io.isle.spin.nic.hpus.SpinRings;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;

/**
 * The newest text of a context's handlers. One thread writes; any thread reads, without a lock:
 * what was overwritten meanwhile is left out.
 */
public final class TextLog {
  private static final int BYTES = SpinStructs.TEXT;

  /** Taken at a time: handlers that print without end keep the agent from little else. */
  static final int PART = 8 << 10;

  private final byte[] taken = new byte[PART];
  private final byte[] kept = new byte[BYTES];

  /** Bytes that are being written, and bytes that are there. */
  private volatile long begun;

  private volatile long written;

  /**
   * Takes a part of what has been printed.
   *
   * @return bytes, {@link #PART} where there may be more, or a negated code
   */
  int take(SpinRings rings) {
    int count = rings.text(taken);
    if (count > 0) {
      long at = written;
      begun = at + count;
      VarHandle.storeStoreFence();
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
    VarHandle.loadLoadFence();
    // what a further text has begun to replace
    int torn = Math.clamp(begun - BYTES - first, 0, copy.length);
    return new TextPart(
        first + torn, new String(copy, torn, copy.length - torn, StandardCharsets.US_ASCII));
  }
}
