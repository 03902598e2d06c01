package io.isle.core.accel.sched;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Reads what a {@link JournalWriter} wrote, of this version or the one before, a record at a time;
 * nothing in the file is believed.
 */
final class JournalReader {
  private static final int BUFFER = 1 << 16;
  private static final int MOST_BITS = 63;

  private final InputStream in;
  private final CRC32C crc = new CRC32C();
  private final byte[] buffer = new byte[BUFFER];
  private int position;
  private int limit;
  private long bytes;
  private final int version;

  final int contexts;
  final int groups;
  final int depth;
  final int units;
  final long start;

  /** Of the record that was read. */
  int kind;

  long time;
  final long[] numbers = new long[5];

  long records;

  /** Known at the end. */
  long missed;

  JournalReader(InputStream in) throws IOException {
    this.in = in;
    byte[] magic = new byte[JournalWriter.MAGIC.length];
    for (int i = 0; i < magic.length; i++) {
      magic[i] = (byte) get();
    }
    if (!Arrays.equals(magic, JournalWriter.MAGIC)) {
      throw new JournalFormatException(
          "is not a journal of a scheduler: the file does not begin with the magic number");
    }
    long said = number();
    if (said < 1 || said > JournalWriter.VERSION) {
      throw new JournalFormatException(
          "has version "
              + said
              + " of the journal format, but only versions 1 to "
              + JournalWriter.VERSION
              + " can be read");
    }
    version = (int) said;
    contexts = size("contexts", Limits.MAX_CONTEXTS);
    groups = size("groups", Limits.MAX_GROUPS);
    depth = size("depth", Limits.MAX_DEPTH);
    units = size("units", Limits.MAX_UNITS);
    start = number();
    time = start;
  }

  private int size(String what, int most) throws IOException {
    long value = number();
    if (value < 1 || value > most) {
      throw broken(what + " " + value + " is not within 1 to " + most);
    }
    return (int) value;
  }

  /** Reads the next record; false at the end, after it was checked. */
  boolean next() throws IOException {
    kind = get();
    if (kind == JournalWriter.END) {
      end();
      return false;
    }
    if (!Inputs.isKnown(kind)) {
      throw broken("record kind " + kind + " is unknown");
    }
    if (Inputs.isTimed(kind)) {
      time += number();
    }
    int count = Inputs.numbers(kind, version);
    for (int i = 0; i < count; i++) {
      numbers[i] = number();
    }
    if (count < Inputs.numbers(kind)) {
      numbers[count] = SchedulingCore.AVERAGE;
    }
    records++;
    return true;
  }

  private void end() throws IOException {
    long count = number();
    if (count != records) {
      throw broken("the journal has " + records + " records, but announces " + count);
    }
    missed = number();
    if (missed < 0) {
      throw broken("missed " + missed + " records");
    }
    crc.update(buffer, 0, position);
    long sum = crc.getValue();
    long said = 0;
    for (int i = 0; i < Integer.BYTES; i++) {
      said |= (long) get() << (i * Byte.SIZE);
    }
    if (said != sum) {
      throw broken("the checksum is wrong");
    }
    if (position < limit || in.read() >= 0) {
      throw broken("the file goes on after the end of the journal");
    }
  }

  /** A mistake at this place of the file. */
  JournalFormatException broken(String why) {
    return new JournalFormatException(
        "byte " + (bytes + position) + ", record " + records + ": " + why);
  }

  private long number() throws IOException {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      int b = get();
      if (shift == MOST_BITS && b > 1) {
        throw broken("a number is longer than 64 bits");
      }
      value |= (long) (b & 0x7f) << shift;
      if (b < 0x80) {
        return value >>> 1 ^ -(value & 1);
      }
    }
  }

  private int get() throws IOException {
    if (position == limit) {
      crc.update(buffer, 0, limit);
      bytes += limit;
      position = 0;
      limit = Math.max(0, in.read(buffer));
      if (limit == 0) {
        throw new EOFException("is cut off after " + bytes + " bytes, in record " + records);
      }
    }
    return buffer[position++] & 0xff;
  }
}
