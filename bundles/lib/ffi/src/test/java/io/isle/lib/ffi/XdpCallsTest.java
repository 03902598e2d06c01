package io.isle.lib.ffi;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import io.isle.api.base.Errno;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** Calls on sockets of AF_XDP and on interfaces, as far as they need no rights. */
class XdpCallsTest {
  private static final int ETHTOOL_GLINK = 10;

  private final Sockets sockets = new Sockets();

  /** A descriptor, or the test is skipped. */
  private int xdp() {
    int fd = sockets.socket(Sockets.AF_XDP, Sockets.SOCK_RAW);
    assumeTrue(fd >= 0, "sockets of AF_XDP need root: " + SocketErrors.text(fd));
    return fd;
  }

  @Test
  void wakeUpsOfASocketThatIsNotBoundSaySo() {
    int fd = xdp();
    assertEquals(-Errno.ENXIO, XdpWake.transmit(fd));
    assertEquals(-Errno.ENXIO, XdpWake.receive(fd));
    assertEquals(0, sockets.close(fd));
    assertEquals(-SocketErrors.EBADF, XdpWake.transmit(fd));
  }

  @Test
  void aStructureIsReadAndWrittenAsAnOption() {
    SocketOptions options = new SocketOptions();
    int fd = xdp();
    MemorySegment size = SocketLib.memory(4);
    size.set(JAVA_INT, 0, 64);
    assertEquals(0, options.set(fd, 283, 2, size), "XDP_RX_RING");
    assertEquals(128, options.get(fd, 283, 1, SocketLib.memory(128)), "XDP_MMAP_OFFSETS");
    size.set(JAVA_INT, 0, 63);
    assertEquals(-Errno.EINVAL, options.set(fd, 283, 3, size), "no power of two");
    assertEquals(0, sockets.close(fd));
  }

  @Test
  void wakeUpsAllocateNothing() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    int fd = xdp();
    double least = Double.MAX_VALUE;
    for (int round = 0; round < 25 && least >= 0.5; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < 20_000; i++) {
        int ignored = XdpWake.transmit(fd) + XdpWake.receive(fd);
      }
      least = (threads.getCurrentThreadAllocatedBytes() - before) / 20_000.0;
    }
    assertTrue(least < 0.5, least + " bytes a run");
    assertEquals(0, sockets.close(fd));
  }

  @Test
  void anInterfaceAnswersEthtool() {
    EthtoolCall ethtool = new EthtoolCall();
    int fd = sockets.socket(Sockets.AF_INET, Sockets.SOCK_DGRAM);
    MemorySegment command = SocketLib.memory(8);
    command.set(JAVA_INT, 0, ETHTOOL_GLINK);
    assertEquals(0, ethtool.call(fd, "lo", command));
    assertTrue(command.get(JAVA_INT, 4) <= 1);
    assertEquals(-Errno.ENODEV, ethtool.call(fd, "nothing9", command));
    assertEquals(-Errno.EINVAL, ethtool.call(fd, "a-name-of-16-byt", command));
    assertEquals(-Errno.EINVAL, ethtool.call(fd, "", command));
    assertEquals(0, sockets.close(fd));
  }
}
