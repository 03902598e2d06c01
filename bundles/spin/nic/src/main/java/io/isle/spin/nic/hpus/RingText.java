package io.isle.spin.nic.hpus;

import io.isle.api.base.Errno;
import io.isle.lib.kabi.SpinStructs;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** What the handlers of a context print. One thread at a time. */
final class RingText {
  private final MemorySegment rings;
  private long taken;

  RingText(MemorySegment rings) {
    this.rings = rings;
  }

  /** See {@link SpinRings#text}. */
  int take(byte[] into) {
    long written = (long) RingLayout.LONG.getAcquire(rings, RingLayout.TEXT_WRITTEN);
    long there = written - taken;
    if (there < 0 || there > SpinStructs.TEXT) {
      return -Errno.EPROTO;
    }
    int bytes = (int) Math.min(there, into.length);
    for (int i = 0; i < bytes; i++) {
      long at = RingLayout.TEXT + (taken + i & SpinStructs.TEXT - 1);
      byte read = rings.get(ValueLayout.JAVA_BYTE, at);
      into[i] = read == '\n' || read >= ' ' && read < 0x7f ? read : (byte) '?';
    }
    if (bytes > 0) {
      taken += bytes;
      RingLayout.LONG.setRelease(rings, RingLayout.TEXT_TAKEN, taken);
    }
    return bytes;
  }
}
