package io.isle.net.jobs;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The datagrams on their way, each a number and a piece of a stream; a reply takes the place of its
 * datagram. One thread.
 */
final class KeptDatagrams {
  private static final ValueLayout.OfLong NUMBER =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private final int room;
  private final int[] lengths;
  private final MemorySegment kept;
  private final MemorySegment reply;
  private final byte[] written;

  /**
   * @param size most datagrams on their way
   * @param piece most bytes of a piece
   */
  KeptDatagrams(int size, int piece) {
    room = piece + Long.BYTES;
    lengths = new int[size];
    kept = Arena.ofAuto().allocate((long) size * room, Long.BYTES);
    // one byte more: a reply that is too long is no equal one
    reply = Arena.ofAuto().allocate(room + 1L, Long.BYTES);
    written = new byte[piece];
  }

  private int place(long number) {
    return (int) (number % lengths.length);
  }

  private long at(long number) {
    return (long) place(number) * room;
  }

  /** Writes a datagram. */
  void write(long number, byte[] piece, int length) {
    long at = at(number);
    kept.set(NUMBER, at, number);
    MemorySegment.copy(piece, 0, kept, ValueLayout.JAVA_BYTE, at + Long.BYTES, length);
    lengths[place(number)] = Long.BYTES + length;
  }

  /** Sends a datagram; false if there is no room now. */
  boolean send(EchoPath path, long number) {
    return path.send(kept, at(number), lengths[place(number)]);
  }

  /** Receives a reply; its bytes, or a negative number without one. */
  int receive(EchoPath path) {
    return path.receive(reply);
  }

  /** The number in a reply of these bytes; -1 in one that is too short. */
  long number(int length) {
    return length < Long.BYTES ? -1 : reply.get(NUMBER, 0);
  }

  /**
   * A reply replaces its datagram.
   *
   * @return whether both are equal
   */
  boolean replace(long number, int length) {
    int place = place(number);
    long at = at(number);
    boolean equal =
        length == lengths[place]
            && MemorySegment.mismatch(kept, at, at + length, reply, 0, length) < 0;
    lengths[place] = Math.min(length, room);
    MemorySegment.copy(reply, 0, kept, at, lengths[place]);
    return equal;
  }

  /** Bytes of the piece in a datagram or reply. */
  int pieceBytes(long number) {
    return lengths[place(number)] - Long.BYTES;
  }

  /** Writes the piece to a stream. */
  void copy(long number, OutputStream out) throws IOException {
    int length = pieceBytes(number);
    MemorySegment.copy(kept, ValueLayout.JAVA_BYTE, at(number) + Long.BYTES, written, 0, length);
    out.write(written, 0, length);
  }
}
