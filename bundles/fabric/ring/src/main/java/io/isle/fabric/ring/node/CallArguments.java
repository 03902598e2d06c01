package io.isle.fabric.ring.node;

import static io.isle.api.base.Errno.EINVAL;
import static io.isle.api.base.Errno.EMSGSIZE;
import static io.isle.api.base.Errno.ENOTSUP;

import io.isle.api.fabric.Dialect;
import io.isle.api.fabric.RingEndpoint;
import io.isle.fabric.ring.link.Link;
import java.lang.foreign.MemorySegment;

/**
 * The arguments of a tenant's data calls: 0, or the negated code of a wrong one. Pure functions.
 */
final class CallArguments {
  private static final int MOST_HEADER = 64;

  private CallArguments() {}

  static int timeout(long timeoutNs) {
    return timeoutNs >= 0 && timeoutNs <= RingEndpoint.MAX_TIMEOUT_NS ? 0 : -EINVAL;
  }

  static int memory(MemorySegment memory, long offset, long length, long timeoutNs) {
    boolean right =
        memory.isNative() && offset >= 0 && length >= 0 && length <= memory.byteSize() - offset;
    return right ? timeout(timeoutNs) : -EINVAL;
  }

  /** A packet of two parts. */
  static int sent(
      MemorySegment header,
      long headerLength,
      MemorySegment data,
      long offset,
      long length,
      long timeoutNs,
      int packetBytes) {
    int wrong = memory(data, offset, length, timeoutNs);
    if (wrong == 0 && headerLength != 0) {
      wrong = headerLength > MOST_HEADER ? -EINVAL : memory(header, 0, headerLength, timeoutNs);
    }
    return wrong == 0 && headerLength + length != packetBytes ? -EMSGSIZE : wrong;
  }

  /** Memory that receives a packet. */
  static int received(
      MemorySegment into, long offset, long length, long timeoutNs, int packetBytes) {
    int wrong = memory(into, offset, length, timeoutNs);
    if (wrong == 0 && into.isReadOnly()) {
      wrong = -EINVAL;
    }
    return wrong == 0 && length != packetBytes ? -EMSGSIZE : wrong;
  }

  /** Dialect leap has no packets backwards. */
  static int backward(Link link) {
    return link.spec().dialect() == Dialect.LEAP ? -ENOTSUP : 0;
  }
}
