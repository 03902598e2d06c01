package io.isle.fabric.ring.isle;

import io.isle.api.fabric.DatagramPort;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The datagrams of one call: of one size, but for the last one, and of one source. */
final class ArrivedDatagrams {
  /** A batch of datagrams that the kernel joined. */
  private static final int BYTES = 1 << 16;

  final MemorySegment memory;
  private int next;
  private int end;
  private int size;
  private int from;
  private int length;

  /** Whether the source has sent a valid datagram. */
  private boolean accepted;

  ArrivedDatagrams(Arena arena) {
    memory = arena.allocate(BYTES, 64);
  }

  /** Receives the next ones, in place of those before; false if none are here. */
  boolean receive(DatagramPort port) {
    long bytes = port.receive(memory, 0, BYTES);
    if (bytes <= 0) {
      return false;
    }
    next = 0;
    end = (int) bytes;
    size = port.segment();
    accepted = false;
    return true;
  }

  /** Goes on to the next datagram; false behind the last one. */
  boolean take() {
    if (next == end) {
      return false;
    }
    from = next;
    length = Math.min(size, end - next);
    next += length;
    return true;
  }

  /** Offset of the datagram. */
  int from() {
    return from;
  }

  /** Bytes of the datagram. */
  int length() {
    return length;
  }

  /** The datagram is a valid one. */
  void accept(DatagramPort port, long nowNs) {
    if (!accepted) {
      accepted = true;
      port.accept(nowNs);
    }
  }

  /** Forgets the rest. */
  void clear() {
    next = 0;
    end = 0;
  }
}
