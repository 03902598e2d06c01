package io.isle.net.xdp.netlink;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import java.lang.foreign.MemorySegment;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any bytes in place of the kernel's: they are read within their bounds, or refused. */
class NetlinkFuzzTest {
  static Stream<byte[]> seeds() {
    MessageWriter link = new MessageWriter(Rtm.NEWLINK, 0).u32(0).u32(1).u32(1).u32(0);
    int info = link.text(Link.IFLA_IFNAME, "va").nest(Link.IFLA_LINKINFO);
    link.text(Link.INFO_KIND, "veth").close(info).station(Link.IFLA_ADDRESS, 0x020000000001L);
    return Stream.of(
        bytes(link),
        bytes(RouteRequests.neighbour(Rtm.NEWNEIGH, 0, 2, Neighbour.STALE, 0, 5)),
        bytes(
            new MessageWriter(Rtm.NEWADDR, 0)
                .u32(0x1802)
                .u32(1)
                .address(InterfaceAddress.IFA_LOCAL, 7)),
        bytes(
            new MessageWriter(Rtm.NEWROUTE, 0)
                .u32(Rtm.AF_INET)
                .u32(0xFE)
                .u32(0)
                .address(KernelRoute.RTA_DST, 0x0A000000)
                .number(KernelRoute.RTA_OIF, 2)),
        multipath());
  }

  private static byte[] multipath() {
    MessageWriter route = new MessageWriter(Rtm.NEWROUTE, 0).u32(Rtm.AF_INET).u32(0xFE).u32(0);
    int paths = route.nest(9);
    route.u16(16).u16(1).u32(3).address(KernelRoute.RTA_GATEWAY, 9);
    route.u16(8).u16(0).u32(4);
    return bytes(route.close(paths));
  }

  private static byte[] bytes(MessageWriter message) {
    return message.finish(1).toArray(JAVA_BYTE);
  }

  @MethodSource("seeds")
  @FuzzTest
  void bytesAreReadWithinTheirBounds(byte[] bytes) {
    try {
      for (Message message : Message.read(MemorySegment.ofArray(bytes.clone()))) {
        read(message);
      }
    } catch (NetException e) {
      assertEquals(Errno.EPROTO, e.code(), e.getMessage());
    }
  }

  private static void read(Message message) {
    switch (message.type()) {
      case Rtm.NEWLINK -> assertTrue(Link.read(message).name().length() <= 1 << 16);
      case Rtm.NEWADDR -> assertTrue(!InterfaceAddress.read(message).text().isEmpty());
      case Rtm.NEWROUTE -> assertTrue(KernelRoute.read(message).prefix() <= 32);
      case Rtm.NEWNEIGH -> assertTrue(Neighbour.read(message).station() >>> 48 == 0);
      default -> {}
    }
  }
}
