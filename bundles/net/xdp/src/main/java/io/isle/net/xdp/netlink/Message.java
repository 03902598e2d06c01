package io.isle.net.xdp.netlink;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * A received netlink message.
 *
 * @param type such as {@link Rtm#NEWLINK}
 * @param payload behind the header: a structure, then attributes
 */
record Message(int type, int flags, int number, MemorySegment payload) {
  private static final int HEADER = 16;

  /**
   * The messages of one receive.
   *
   * @throws NetException EPROTO for a length that is smaller than a header or passes the end
   */
  static List<Message> read(MemorySegment bytes) {
    List<Message> messages = new ArrayList<>();
    long at = 0;
    while (at < bytes.byteSize()) {
      long left = bytes.byteSize() - at;
      long length = left < HEADER ? 0 : Integer.toUnsignedLong(bytes.get(JAVA_INT_UNALIGNED, at));
      if (length < HEADER || length > left) {
        throw broken("a message of " + length + " bytes within " + left);
      }
      messages.add(
          new Message(
              Short.toUnsignedInt(bytes.get(JAVA_SHORT_UNALIGNED, at + 4)),
              Short.toUnsignedInt(bytes.get(JAVA_SHORT_UNALIGNED, at + 6)),
              bytes.get(JAVA_INT_UNALIGNED, at + 8),
              bytes.asSlice(at + HEADER, length - HEADER)));
      at += length + 3 & -4;
    }
    return messages;
  }

  /**
   * The structure at the begin of the payload.
   *
   * @throws NetException EPROTO if the payload is shorter
   */
  MemorySegment structure(int bytes) {
    if (payload.byteSize() < bytes) {
      throw broken("message %d with %d bytes of %d".formatted(type, payload.byteSize(), bytes));
    }
    return payload.asSlice(0, bytes);
  }

  /** The attributes behind a structure of these bytes. */
  Attributes attributes(int structure) {
    MemorySegment ignored = structure(structure);
    return Attributes.read(payload.asSlice(structure));
  }

  static NetException broken(String what) {
    return new NetException(Errno.EPROTO, "netlink: " + what);
  }
}
