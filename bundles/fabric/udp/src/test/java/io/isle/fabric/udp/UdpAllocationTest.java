package io.isle.fabric.udp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.isle.api.base.Errno;
import io.isle.api.fabric.DatagramPort;
import io.isle.api.fabric.RingSide;
import io.isle.lib.ffi.SocketErrors;
import io.isle.lib.ffi.SocketOption;
import io.isle.lib.net.Names;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bytes that data calls allocate once the JVM has compiled them. */
@Timeout(300)
class UdpAllocationTest {
  private static final int RUNS = 5_000;
  private static final int ROUNDS = 40;
  private static final int BATCH = 3 * UdpSettings.DATAGRAM;

  private final Driver driver = new Driver();

  @AfterEach
  void close() {
    driver.close();
  }

  @ParameterizedTest
  @CsvSource({"true,4000", "false,4000", "true,264"})
  void dataCallsAllocateNothing(boolean offloads, int packet) {
    driver.packetBytes = packet;
    if (offloads) {
      driver.transport = new UdpTransport(Names.SYSTEM, KernelDatagrams::new);
    } else {
      driver.calls.refused.put(SocketOption.UDP_SEGMENT, -SocketErrors.ENOPROTOOPT);
      driver.calls.refused.put(SocketOption.UDP_GRO, -SocketErrors.ENOPROTOOPT);
    }
    DatagramPort prev = driver.open(driver.listens("a", "127.0.0.1:0"));
    DatagramPort next =
        driver.open(
            driver.spec("b", RingSide.NEXT, "127.0.0.1:" + Driver.number(prev), "127.0.0.1:0"));
    DatagramPort other = driver.open(driver.listens("b", "127.0.0.1:0"));
    driver.untilUp(next);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    double least = Double.MAX_VALUE;
    for (int round = 0; round < ROUNDS && least >= 0.5; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < RUNS; i++) {
        exchange(next, prev);
        assertEquals(-Errno.EAGAIN, other.receive(driver.in, 0, Driver.ROOM));
      }
      long after = threads.getCurrentThreadAllocatedBytes();
      least = Math.min(least, (double) (after - before) / RUNS);
    }
    assertTrue(least < 0.5, least + " bytes a frame");
  }

  /** A datagram and a batch, polls between the calls, and a call without datagrams. */
  private void exchange(DatagramPort next, DatagramPort prev) {
    long now = driver.now();
    assertEquals(264, next.send(driver.out, 0, 264, UdpSettings.DATAGRAM));
    assertEquals(BATCH, next.send(driver.out, 8, BATCH, UdpSettings.DATAGRAM));
    next.poll(now);
    prev.poll(now);
    long bytes = 0;
    while (bytes < 264 + BATCH) {
      long got = prev.receive(driver.in, 0, Driver.ROOM);
      if (got > 0) {
        bytes += got;
        prev.accept(now);
      }
    }
    assertEquals(-Errno.EAGAIN, prev.receive(driver.in, 0, Driver.ROOM));
  }
}
