package io.isle.core.accel.sched;

import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.CRC32C;

/**
 * Writes the journal of a scheduler: {@code ISLEJRNL}, the format's version, contexts, groups,
 * depth, units and the time at the beginning; then records, each a kind, the time since the last
 * one where the kind has one, and its numbers; then the kind 0, how many there were and how many
 * were missed; then the CRC-32C of all this, four bytes, least first. A kind is a byte; numbers are
 * 64 bits in groups of seven, least first, with the sign in the lowest bit. One thread.
 */
public final class JournalWriter {
  static final byte[] MAGIC = {'I', 'S', 'L', 'E', 'J', 'R', 'N', 'L'};
  static final int VERSION = 2;
  static final int END = 0;

  private static final int BUFFER = 1 << 16;

  /** No record is longer. */
  private static final int LONGEST = 1 + 6 * 10;

  private final OutputStream out;
  private final CRC32C crc = new CRC32C();
  private final byte[] buffer = new byte[BUFFER];
  private int used;
  private long bytes;
  private long records;
  private long time;

  /**
   * Writes the head.
   *
   * @param core of which the ring comes
   * @param now the time, by the core's clock or before
   */
  public JournalWriter(SchedulingCore core, long now, OutputStream out) throws IOException {
    this.out = out;
    for (byte b : MAGIC) {
      put(b);
    }
    number(VERSION);
    number(core.contexts());
    number(core.groups());
    number(core.depth());
    number(core.units());
    number(now);
    time = now;
  }

  /** Writes what is in the ring; returns how many records that were. */
  public int write(InputRing ring) throws IOException {
    int count = ring.drain(this::record);
    records += count;
    return count;
  }

  private void record(int kind, long at, long a, long b, long c, long d, long e)
      throws IOException {
    if (used > BUFFER - LONGEST) {
      flush();
    }
    put((byte) kind);
    if (Inputs.isTimed(kind)) {
      number(at - time);
      time = at;
    }
    int count = Inputs.numbers(kind);
    if (count > 0) {
      number(a);
    }
    if (count > 1) {
      number(b);
    }
    if (count > 2) {
      number(c);
    }
    if (count > 3) {
      number(d);
    }
    if (count > 4) {
      number(e);
    }
  }

  /** Writes the end, when the ring gets nothing more and is empty. */
  public void end(long missed) throws IOException {
    flush();
    put((byte) END);
    number(records);
    number(missed);
    flush();
    long sum = crc.getValue();
    for (int i = 0; i < Integer.BYTES; i++) {
      put((byte) (sum >>> (i * Byte.SIZE)));
    }
    flush();
    out.flush();
  }

  public long records() {
    return records;
  }

  /** Written so far. */
  public long bytes() {
    return bytes + used;
  }

  private void number(long value) {
    long rest = value << 1 ^ value >> 63;
    while ((rest & ~0x7fL) != 0) {
      put((byte) (rest & 0x7f | 0x80));
      rest >>>= 7;
    }
    put((byte) rest);
  }

  private void put(byte value) {
    buffer[used++] = value;
  }

  private void flush() throws IOException {
    crc.update(buffer, 0, used);
    out.write(buffer, 0, used);
    bytes += used;
    used = 0;
  }
}
