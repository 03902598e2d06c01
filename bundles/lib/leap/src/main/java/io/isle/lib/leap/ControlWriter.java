package io.isle.lib.leap;

import static io.isle.lib.leap.Control.I32;
import static io.isle.lib.leap.Control.U16;
import static io.isle.lib.leap.Control.U8;

import io.isle.api.base.Errno;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/**
 * Writes control packets, padded with zeros to the size of the ring's packets. Writers return the
 * size, or -EMSGSIZE for packets of fewer than 164 bytes, which cannot hold a message. Pure
 * functions, safe for any thread. Allocates nothing.
 */
public final class ControlWriter {
  private static final long CHUNK = 4096;
  private static final MemorySegment ZEROS =
      MemorySegment.ofArray(new byte[(int) CHUNK]).asReadOnly();

  private ControlWriter() {}

  /** RESIZE_LAYERS for one worker. */
  public static int resizeLayers(
      MemorySegment to, long offset, int packetBytes, int start, int end, boolean tail) {
    return single(Control.RESIZE_LAYERS, to, offset, packetBytes, start, end, tail);
  }

  /** ACK with the layers that the last worker has applied. */
  public static int ack(
      MemorySegment to, long offset, int packetBytes, int start, int end, boolean tail) {
    return single(Control.ACK, to, offset, packetBytes, start, end, tail);
  }

  private static int single(
      int type, MemorySegment to, long offset, int packetBytes, int start, int end, boolean tail) {
    if (!begin(type, to, offset, packetBytes)) {
      return -Errno.EMSGSIZE;
    }
    long message = offset + Control.MARKER_BYTES;
    to.set(I32, message + Control.START, start);
    to.set(I32, message + Control.END, end);
    to.set(U8, message + Control.TAIL, (byte) (tail ? 1 : 0));
    return packetBytes;
  }

  /**
   * RESIZE_CHAIN for the first worker.
   *
   * @param boundaries {@code workers + 1} numbers: worker i has the layers from number i to before
   *     number i + 1
   * @param workers 1 to 16
   * @param tail the tail flag of the last worker
   */
  public static int resizeChain(
      MemorySegment to, long offset, int packetBytes, int[] boundaries, int workers, boolean tail) {
    Objects.checkIndex(workers - 1, Control.MAX_WORKERS);
    if (!begin(Control.RESIZE_CHAIN, to, offset, packetBytes)) {
      return -Errno.EMSGSIZE;
    }
    long message = offset + Control.MARKER_BYTES;
    to.set(I32, message + Control.WORKERS, workers);
    for (int i = 0; i < workers; i++) {
      long range = message + Control.range(i);
      to.set(I32, range, boundaries[i]);
      to.set(I32, range + Control.RANGE_END, boundaries[i + 1]);
    }
    byte flag = (byte) (tail ? 1 : 0);
    to.set(U8, message + Control.range(workers - 1) + Control.RANGE_TAIL, flag);
    return packetBytes;
  }

  /** Sets the index of a RESIZE_CHAIN in place, for the next worker. */
  public static void index(MemorySegment packet, long offset, int index) {
    packet.set(I32, offset + Control.MARKER_BYTES + Control.INDEX, index);
  }

  /**
   * Makes a packet of a message of 162 bytes.
   *
   * @param message see {@link ControlReader#message}
   */
  public static int packet(
      MemorySegment to, long offset, int packetBytes, MemorySegment message, long messageOffset) {
    if (!begin(0, to, offset, packetBytes)) {
      return -Errno.EMSGSIZE;
    }
    MemorySegment.copy(
        message, messageOffset, to, offset + Control.MARKER_BYTES, Control.MESSAGE_BYTES);
    return packetBytes;
  }

  private static boolean begin(int type, MemorySegment to, long offset, int packetBytes) {
    if (!Packets.holdControl(packetBytes)) {
      return false;
    }
    for (long at = 0; at < packetBytes; at += CHUNK) {
      MemorySegment.copy(
          ZEROS,
          ValueLayout.JAVA_BYTE,
          0,
          to,
          ValueLayout.JAVA_BYTE,
          offset + at,
          Math.min(CHUNK, packetBytes - at));
    }
    to.set(U16, offset, (short) Control.MARKER);
    to.set(U8, offset + Control.MARKER_BYTES + Control.TYPE, (byte) type);
    return true;
  }
}
