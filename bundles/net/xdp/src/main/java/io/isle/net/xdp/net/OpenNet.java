package io.isle.net.xdp.net;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.lib.agent.SerialExecutor;
import io.isle.lib.ffi.NetNamespace;
import io.isle.lib.tile.AppTable;
import io.isle.lib.tile.RouteTable;
import io.isle.net.xdp.attach.LentMemory;
import io.isle.net.xdp.host.wire.TileFile;
import io.isle.net.xdp.configure.Offloads;
import io.isle.net.xdp.lab.NetSpaces;
import io.isle.net.xdp.netlink.Link;
import io.isle.net.xdp.netlink.NetView;
import io.isle.net.xdp.settings.NetSettings;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** All that a net has from the kernel: sockets, program, routes. */
final class OpenNet implements AutoCloseable {
  private static final int PAGE = 4096;
  private static final long ROUTES = (AppTable.BYTES + PAGE - 1) / PAGE * PAGE;

  private final LentMemory tables;
  private final NetNamespace space;
  private final TilePart.Shared shared;
  private final List<TilePart> parts = new ArrayList<>();
  private Link link;
  private RouteFollower routes;
  private Redirect redirect;
  private FakeHosts hosts;
  private LinkCounters published;

  private OpenNet(NetNamespace space) {
    this.space = space;
    tables = LentMemory.create("isle-net-tables", ROUTES + RouteTable.BYTES);
    MemorySegment memory = tables.memory();
    shared =
        new TilePart.Shared(
            memory.asSlice(0, AppTable.BYTES),
            memory.asSlice(ROUTES, RouteTable.BYTES),
            new TileFile(memory, tables.lent().descriptor(), TileFile.Access.READ));
  }

  /**
   * Opens the interface.
   *
   * @param changed told when the kernel's interfaces or routes change
   * @param notes of hosts that do not exist
   * @throws NetException ENODEV; ENETDOWN; EBUSY for a foreign program, or a socket on the queue;
   *     EPERM
   */
  static OpenNet open(
      String net,
      NetSettings settings,
      NetSpaces spaces,
      SerialExecutor executor,
      Consumer<NetView> changed,
      HostFile notes) {
    OpenNet open = new OpenNet(spaces.open(settings.namespace(), settings.interfaceName()));
    try {
      open.begin(net, settings, executor, changed);
      open.published = new LinkCounters(net, open.parts);
      open.hosts = new FakeHosts(settings, open.link.index(), open.routes.kernel(), notes);
      return open;
    } catch (RuntimeException e) {
      open.close();
      throw e;
    }
  }

  private void begin(
      String net, NetSettings settings, SerialExecutor executor, Consumer<NetView> changed) {
    routes =
        new RouteFollower(net, space, shared.routes(), executor, changed, this::askForNeighbours);
    String name = settings.interfaceName();
    link =
        routes
            .view()
            .link(name)
            .orElseThrow(
                () ->
                    new NetException(
                        Errno.ENODEV, "interface: the namespace has no '" + name + "'"));
    if (link.xdp().mode() != Link.XdpMode.NONE) {
      throw new NetException(
          Errno.EBUSY,
          "interface: "
              + name
              + " has the program "
              + link.xdp().program()
              + " of somebody else; see 'ip link show "
              + name
              + "', and 'ip link set "
              + name
              + " xdp off'");
    }
    for (int tile = 0; tile < settings.tiles(); tile++) {
      parts.add(TilePart.open(net, space, tile, link, settings));
    }
    redirect = new Redirect(space, link.index(), settings.mode(), parts);
  }

  private void askForNeighbours() {
    for (TilePart part : parts) {
      part.missing((index, address) -> routes.ask(index, address, System.nanoTime()));
    }
  }

  /** The interface at the begin; {@link #view} has its present state. */
  Link link() {
    return link;
  }

  NetView view() {
    return routes.view();
  }

  RouteFollower routes() {
    return routes;
  }

  Redirect redirect() {
    return redirect;
  }

  TilePart.Shared shared() {
    return shared;
  }

  AppTable apps() {
    return new AppTable(shared.apps());
  }

  List<TilePart> parts() {
    return parts;
  }

  /** Those features of the interface that are on, of the given ones. */
  List<String> offloads(List<String> names) {
    return Offloads.on(space, link.name(), names);
  }

  /** Counters of what apps have published. */
  LinkCounters published() {
    return published;
  }

  /** The tables have the host of an app that sends to nobody, until {@link #withoutHost}. */
  void withHost(String app, int address) {
    hosts.add(app, address);
    routes.refresh();
  }

  void withoutHost(String app) {
    hosts.remove(app);
  }

  /** Whether the interface still is the one that was opened. */
  boolean isPresent() {
    return view().links().stream()
        .anyMatch(one -> one.index() == link.index() && one.name().equals(link.name()));
  }

  /** Where the kernel runs the program; empty without one. */
  String mode() {
    return routes.linksNow().stream()
        .filter(one -> one.index() == link.index())
        .map(one -> one.xdp().mode())
        .filter(mode -> mode != Link.XdpMode.NONE)
        .map(mode -> mode.name().toLowerCase(Locale.ROOT))
        .findFirst()
        .orElse("");
  }

  /** Gives all back; no tile may be open. */
  @Override
  public void close() {
    if (hosts != null) {
      hosts.close();
    }
    if (redirect != null) {
      redirect.close();
    }
    parts.forEach(TilePart::close);
    if (routes != null) {
      routes.close();
    }
    space.close();
    tables.close();
  }
}
