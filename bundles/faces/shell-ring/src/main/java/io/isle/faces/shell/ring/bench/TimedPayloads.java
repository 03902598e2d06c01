package io.isle.faces.shell.ring.bench;

import io.isle.lib.drive.Payloads;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The same payload again and again, for a time that begins with the first one. */
final class TimedPayloads implements Payloads, AutoCloseable {
  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory;
  private final long lengthNs;
  private long beginNs;
  private boolean begun;

  TimedPayloads(int payloadBytes, long lengthNs) {
    memory = arena.allocate(Math.max(1, payloadBytes), Long.BYTES);
    this.lengthNs = lengthNs;
  }

  @Override
  public long count() {
    return Long.MAX_VALUE;
  }

  @Override
  public boolean next() {
    if (!begun) {
      begun = true;
      beginNs = System.nanoTime();
    }
    return System.nanoTime() - beginNs < lengthNs;
  }

  @Override
  public MemorySegment memory() {
    return memory;
  }

  @Override
  public long offset() {
    return 0;
  }

  /** No packet may be on its way to the ring. */
  @Override
  public void close() {
    arena.close();
  }
}
