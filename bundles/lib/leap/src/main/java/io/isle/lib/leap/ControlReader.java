package io.isle.lib.leap;

import static io.isle.lib.leap.Control.I32;
import static io.isle.lib.leap.Control.U8;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Tells control packets from activations, and reads them in place. One thread; the memory must not
 * change between the check and the reads. Allocates nothing.
 */
public final class ControlReader {
  private MemorySegment memory = MemorySegment.NULL;
  private long message;

  /**
   * Takes a packet if it is a control packet to the letter: marker, a type from 1 to 3, zeros in
   * unused fields and in the padding, {@code 0 <= start <= end <= 65536}, adjoining ranges, a tail
   * flag of 0 or 1 that only the last range may have, 1 to 16 workers, an index below their number.
   *
   * @param length bytes of the packet
   * @return false for an activation; the fields are then undefined
   */
  public boolean packet(MemorySegment memory, long offset, long length) {
    if (length < Control.PACKET_BYTES
        || !Packets.looksLikeControl(memory, offset, length)
        || !message(memory, offset + Control.MARKER_BYTES)) {
      return false;
    }
    return isZero(offset + Control.PACKET_BYTES, length - Control.PACKET_BYTES);
  }

  /** As {@link #packet}, for a message of 162 bytes without marker and padding. */
  public boolean message(MemorySegment memory, long offset) {
    Objects.checkFromIndexSize(offset, Control.MESSAGE_BYTES, memory.byteSize());
    this.memory = memory;
    this.message = offset;
    return switch (type()) {
      case Control.RESIZE_LAYERS, Control.ACK -> isSingle();
      case Control.RESIZE_CHAIN -> isChain();
      default -> false;
    };
  }

  private boolean isSingle() {
    return isRange(start(), end())
        && isFlag(byteAt(Control.TAIL))
        && isZero(message + Control.INDEX, Control.MESSAGE_BYTES - Control.INDEX);
  }

  private boolean isChain() {
    int workers = workers();
    if (!isZero(message + Control.START, Control.INDEX - Control.START)
        || workers < 1
        || workers > Control.MAX_WORKERS
        || index() < 0
        || index() >= workers) {
      return false;
    }
    for (int i = 0; i < workers; i++) {
      int flag = byteAt(Control.range(i) + Control.RANGE_TAIL);
      if (!isRange(start(i), end(i))
          || (i > 0 && start(i) != end(i - 1))
          || !(flag == 0 || (flag == 1 && i == workers - 1))) {
        return false;
      }
    }
    long used = Control.range(workers);
    return isZero(message + used, Control.MESSAGE_BYTES - used);
  }

  /** {@link Control#RESIZE_LAYERS}, {@link Control#RESIZE_CHAIN} or {@link Control#ACK}. */
  public int type() {
    return byteAt(Control.TYPE);
  }

  /** First layer, of RESIZE_LAYERS and ACK. */
  public int start() {
    return intAt(Control.START);
  }

  /** The layer behind the last, of RESIZE_LAYERS and ACK. */
  public int end() {
    return intAt(Control.END);
  }

  /** The tail flag, of RESIZE_LAYERS and ACK. */
  public boolean tail() {
    return byteAt(Control.TAIL) == 1;
  }

  /** Index of the worker that receives the message, of RESIZE_CHAIN. */
  public int index() {
    return intAt(Control.INDEX);
  }

  /** Number of workers, of RESIZE_CHAIN. */
  public int workers() {
    return intAt(Control.WORKERS);
  }

  /** First layer of a worker, of RESIZE_CHAIN. */
  public int start(int worker) {
    return intAt(Control.range(worker));
  }

  /** The layer behind the last of a worker, of RESIZE_CHAIN. */
  public int end(int worker) {
    return intAt(Control.range(worker) + Control.RANGE_END);
  }

  /** The tail flag of a worker, of RESIZE_CHAIN. */
  public boolean tail(int worker) {
    return byteAt(Control.range(worker) + Control.RANGE_TAIL) == 1;
  }

  private static boolean isRange(int start, int end) {
    return start >= 0 && start <= end && end <= Control.MAX_LAYERS;
  }

  private static boolean isFlag(int value) {
    return value == 0 || value == 1;
  }

  private int byteAt(long field) {
    return memory.get(U8, message + field) & 0xFF;
  }

  private int intAt(long field) {
    return memory.get(I32, message + field);
  }

  private boolean isZero(long from, long length) {
    long at = from;
    long end = from + length;
    for (; at + Long.BYTES <= end; at += Long.BYTES) {
      if (memory.get(Control.I64, at) != 0) {
        return false;
      }
    }
    for (; at < end; at++) {
      if (memory.get(U8, at) != 0) {
        return false;
      }
    }
    return true;
  }
}
