package io.isle.net.ports.port;

import io.isle.api.net.port.PortOptions;
import io.isle.lib.ffi.SocketOption;
import io.isle.lib.ffi.SocketOptions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The frames that wait in a socket. One thread at a time. */
public final class SocketRoom {
  private static final int SOL_SOCKET = 1;
  private static final int SO_MEMINFO = 55;
  private static final int NUMBERS = 9;
  private static final int DROPS = 8;

  /** What the kernel counts beside the bytes of a frame, about. */
  private static final int OVERHEAD = 1024;

  private final int descriptor;
  private final SocketOptions options = new SocketOptions();
  private final MemorySegment numbers = Arena.ofAuto().allocate(NUMBERS * 4L, 4);

  public SocketRoom(int descriptor) {
    this.descriptor = descriptor;
  }

  /** Asks for room for the frames; without CAP_NET_ADMIN, as much as the machine permits. */
  public static void set(int descriptor, PortOptions wish) {
    SocketOptions options = new SocketOptions();
    long bytes = (long) wish.frames() * (wish.mtu() + OVERHEAD);
    int most = (int) Math.min(bytes, Integer.MAX_VALUE / 2);
    if (options.set(descriptor, SocketOption.SO_RCVBUFFORCE, most) < 0) {
      // less room is no failure: what is lost is counted
      int ignored = options.set(descriptor, SocketOption.SO_RCVBUF, most);
    }
  }

  /** Frames that found no room so far. */
  public long dropped() {
    int bytes = options.get(descriptor, SOL_SOCKET, SO_MEMINFO, numbers);
    return bytes < NUMBERS * Integer.BYTES
        ? 0
        : Integer.toUnsignedLong(numbers.getAtIndex(ValueLayout.JAVA_INT, DROPS));
  }
}
