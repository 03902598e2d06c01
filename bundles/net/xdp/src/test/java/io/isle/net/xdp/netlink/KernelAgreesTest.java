package io.isle.net.xdp.netlink;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.lib.ffi.NetNamespace;
import io.isle.lib.ffi.NetlinkSocket;
import io.isle.lib.ffi.PollSet;
import io.isle.lib.ffi.SocketErrors;
import io.isle.lib.packet.Ipv4;
import io.isle.lib.tile.RouteReader;
import io.isle.lib.tile.RouteTable;
import io.isle.lib.tile.Routes;
import io.isle.net.xdp.testing.Spaces;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The kernel itself says where packets go ({@code ip route get}): tiles send them the same way. */
@Timeout(60)
class KernelAgreesTest {
  private static final int NET = 0xC6120000;
  private static final int[] TYPES = {
    KernelRoute.UNICAST,
    KernelRoute.UNICAST,
    KernelRoute.UNICAST,
    KernelRoute.BLACKHOLE,
    KernelRoute.UNREACHABLE,
    KernelRoute.PROHIBIT,
    KernelRoute.THROW
  };

  private final MemorySegment memory = Arena.ofAuto().allocate(RouteTable.BYTES, 8);
  private final RouteMirror mirror = new RouteMirror(new RouteTable(memory));
  private final RouteReader reader = new RouteReader(memory);
  private final MemorySegment answer = Arena.ofAuto().allocate(NetlinkSocket.LARGEST, 8);

  @Test
  void tilesAndTheKernelSendTheSameWay() {
    Random random = new Random(1);
    try (NetNamespace space = Spaces.create();
        Rtnetlink kernel = Rtnetlink.in(space);
        NetMonitor monitor = NetMonitor.in(space);
        NetlinkSocket questions = space.call(() -> NetlinkSocket.open(NetlinkSocket.ROUTE))) {
      int[] interfaces = interfaces(space, kernel);
      RouteRequests routes = new RouteRequests(kernel);
      int added = 0;
      for (int round = 0; round < 6; round++) {
        for (int i = 0; i < 12; i++) {
          added += add(routes, route(random, interfaces)) ? 1 : 0;
        }
        boolean ignored = monitor.poll();
        mirror.write(monitor.view());
        for (int i = 0; i < 300; i++) {
          compare(questions, NET + random.nextInt(1024));
        }
        compare(questions, 0x0A000001);
        compare(questions, 0x7F000001);
      }
      assertTrue(added > 40, "added " + added);
    }
  }

  /** Two with addresses of networks of their own. */
  private static int[] interfaces(NetNamespace space, Rtnetlink kernel) {
    LinkRequests links = new LinkRequests(kernel);
    links.addVeth("va", "vb", space, 1);
    int a = kernel.link("va").index();
    int b = kernel.link("vb").index();
    links.setUp(1, true);
    links.addAddress(a, NET + 1, 24);
    links.addAddress(a, NET + 2, 24);
    links.addAddress(b, NET + 257, 24);
    links.setUp(a, true);
    links.setUp(b, true);
    return new int[] {a, b};
  }

  private static KernelRoute route(Random random, int[] interfaces) {
    int type = TYPES[random.nextInt(TYPES.length)];
    int prefix = random.nextInt(10) == 0 ? 0 : 23 + random.nextInt(10);
    int mask = prefix == 0 ? 0 : -1 << (32 - prefix);
    boolean sends = type == KernelRoute.UNICAST;
    int by = random.nextInt(2);
    boolean gateway = sends && random.nextBoolean();
    return new KernelRoute(
        KernelRoute.MAIN,
        NET + random.nextInt(1024) & mask,
        prefix,
        type,
        random.nextInt(3),
        sends ? interfaces[by] : 0,
        gateway ? NET + 256 * by + 10 + random.nextInt(100) : 0,
        sends && random.nextInt(3) == 0 ? NET + 1 : 0,
        true);
  }

  /** Some have the destination and metric of another one, or a gateway that no route reaches. */
  private static boolean add(RouteRequests routes, KernelRoute route) {
    try {
      routes.add(route);
      return true;
    } catch (NetException e) {
      return false;
    }
  }

  private void compare(NetlinkSocket questions, int destination) {
    Message said = ask(questions, destination);
    int outcome = reader.lookup(destination);
    String text = "to " + Ipv4.text(destination);
    if (said.type() == Rtm.ERROR) {
      assertEquals(Routes.NO_ROUTE, outcome, text);
      return;
    }
    KernelRoute route = KernelRoute.read(said);
    if (route.type() != KernelRoute.UNICAST && route.type() != KernelRoute.LOCAL) {
      assertEquals(Routes.ROUTE_TYPE, outcome, text);
      return;
    }
    boolean local = route.type() == KernelRoute.LOCAL;
    assertEquals(local ? Routes.SENDS : Routes.NO_NEIGHBOR, outcome, text);
    assertEquals(route.interfaceIndex(), reader.interfaceIndex(), text);
    assertEquals(route.source(), reader.source(), text);
    assertEquals(route.gateway() == 0 ? destination : route.gateway(), reader.nextHop(), text);
  }

  private Message ask(NetlinkSocket socket, int destination) {
    MemorySegment question =
        new MessageWriter(Rtm.GETROUTE, 0)
            .u8(Rtm.AF_INET)
            .u8(32)
            .u16(0)
            .u32(0)
            .u32(0)
            .address(KernelRoute.RTA_DST, destination)
            .finish(1);
    assertEquals(question.byteSize(), socket.send(question, 0, question.byteSize()));
    PollSet poll = new PollSet(1);
    poll.set(0, socket.descriptor(), PollSet.POLLIN);
    assertEquals(1, poll.await(1, 10_000_000_000L));
    long bytes = socket.receive(answer);
    assertTrue(bytes > 0, () -> SocketErrors.text((int) bytes));
    Message message = Message.read(answer.asSlice(0, bytes)).getFirst();
    if (message.type() == Rtm.ERROR) {
      int code = -message.structure(4).get(JAVA_INT_UNALIGNED, 0);
      // blackhole, prohibit, no route, unreachable
      assertTrue(
          code == Errno.EINVAL || code == Errno.EACCES || code == 101 || code == 113,
          SocketErrors.text(code));
    }
    return message;
  }
}
