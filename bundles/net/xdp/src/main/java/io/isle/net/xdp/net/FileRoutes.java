package io.isle.net.xdp.net;

import io.isle.lib.tile.RouteTable;
import io.isle.net.xdp.netlink.InterfaceAddress;
import io.isle.net.xdp.netlink.KernelRoute;
import io.isle.net.xdp.netlink.Link;
import io.isle.net.xdp.netlink.NetView;
import io.isle.net.xdp.netlink.RouteMirror;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.OptionalInt;

/**
 * The routes of a net on capture files: all addresses are on the link, and need no hardware
 * address.
 */
final class FileRoutes implements NetRoutes {
  static final int INDEX = 1;

  private static final long STATION = 0x02_00_00_00_00_01L;
  private static final int MTU = 1500;

  private final Link link;
  private final RouteMirror mirror;
  private volatile NetView view = NetView.EMPTY;

  /**
   * @param name of the interface
   * @param table new memory of {@link RouteTable}
   */
  FileRoutes(String name, MemorySegment table) {
    int flags = Link.UP | Link.RUNNING | Link.NOARP;
    Link.Xdp none = new Link.Xdp(Link.XdpMode.NONE, 0);
    link = new Link(INDEX, name, Link.ETHERNET, flags, STATION, MTU, "file", none);
    mirror = new RouteMirror(new RouteTable(table));
    address(OptionalInt.empty());
  }

  Link link() {
    return link;
  }

  /** The source of frames that name none. */
  void address(OptionalInt own) {
    int source = own.orElse(0);
    view =
        new NetView(
            List.of(link),
            own.stream().mapToObj(one -> new InterfaceAddress(INDEX, one, 32, 0, false)).toList(),
            List.of(
                new KernelRoute(
                    KernelRoute.MAIN, 0, 0, KernelRoute.UNICAST, 0, INDEX, 0, source, true)),
            List.of());
    mirror.write(view);
  }

  @Override
  public void ask(int interfaceIndex, int address, long nowNs) {
    // there is nobody to ask, and no route needs an answer
  }

  @Override
  public List<Link> linksNow() {
    return List.of(link);
  }

  @Override
  public NetView view() {
    return view;
  }

  @Override
  public String problem() {
    return "";
  }

  @Override
  public void close() {
    // the memory is the net's
  }
}
