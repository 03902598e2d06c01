package io.isle.net.xdp.net;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.lib.agent.SerialExecutor;
import io.isle.lib.ffi.NetNamespace;
import io.isle.net.xdp.bpf.XdpLink;
import io.isle.net.xdp.configure.Offloads;
import io.isle.net.xdp.netlink.Link;
import io.isle.net.xdp.netlink.NetView;
import io.isle.net.xdp.settings.NetSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/** An interface, maybe with the loopback of its namespace: sockets, program, routes. */
final class InterfaceMedium implements Medium {
  private static final String LOOPBACK = "lo";

  private final NetNamespace space;
  private final List<TilePart> parts = new ArrayList<>();
  private RouteFollower routes;
  private Link link;
  private FakeHosts hosts;
  private Intake intake;

  private InterfaceMedium(NetNamespace space) {
    this.space = space;
  }

  /**
   * Opens the interface.
   *
   * @param space closed with this object, also if this method throws
   * @param changed told when the kernel's interfaces or routes change
   * @param notes of hosts that do not exist
   * @throws NetException ENODEV; ENETDOWN; EBUSY for a foreign program, or a socket on the queue;
   *     EPERM
   */
  static InterfaceMedium open(
      String net,
      NetSettings settings,
      NetNamespace space,
      NetTables tables,
      SerialExecutor executor,
      Consumer<NetView> changed,
      HostFile notes) {
    InterfaceMedium medium = new InterfaceMedium(space);
    try {
      medium.begin(net, settings, tables, executor, changed, notes);
      return medium;
    } catch (RuntimeException e) {
      medium.close();
      throw e;
    }
  }

  private void begin(
      String net,
      NetSettings settings,
      NetTables tables,
      SerialExecutor executor,
      Consumer<NetView> changed,
      HostFile notes) {
    routes =
        new RouteFollower(net, space, tables.routes(), executor, changed, this::askForNeighbours);
    link = free(settings.interfaceName());
    hosts = new FakeHosts(settings, link.index(), routes.kernel(), notes);
    Optional<Link> loopback = settings.loopback() ? Optional.of(free(LOOPBACK)) : Optional.empty();
    for (int tile = 0; tile < settings.tiles(); tile++) {
      Optional<Link> second = tile == 0 ? loopback : Optional.empty();
      parts.add(TilePart.open(net, space, tile, link, second, settings));
    }
    intake = new Redirect(space, link.index(), settings.mode(), sockets(0));
    if (loopback.isPresent()) {
      int index = loopback.get().index();
      intake = new LoopedIntake(intake, new Redirect(space, index, XdpLink.Mode.SKB, sockets(1)));
    }
  }

  /** The sockets of the interface, 0, or of the loopback, 1. */
  private List<SocketWire> sockets(int number) {
    return parts.stream()
        .filter(part -> part.wires().size() > number)
        .map(part -> (SocketWire) part.wires().get(number))
        .toList();
  }

  /** An interface without the program of somebody else. */
  private Link free(String name) {
    Link found =
        routes
            .view()
            .link(name)
            .orElseThrow(
                () ->
                    new NetException(
                        Errno.ENODEV, "interface: the namespace has no '" + name + "'"));
    if (found.xdp().mode() != Link.XdpMode.NONE) {
      throw new NetException(
          Errno.EBUSY,
          "interface: "
              + name
              + " has the program "
              + found.xdp().program()
              + " of somebody else; see 'ip link show "
              + name
              + "', and 'ip link set "
              + name
              + " xdp off'");
    }
    return found;
  }

  private void askForNeighbours() {
    for (TilePart part : parts) {
      part.figures().missing((index, address) -> routes.ask(index, address, System.nanoTime()));
    }
  }

  @Override
  public List<TilePart> parts() {
    return parts;
  }

  @Override
  public Link link() {
    return link;
  }

  @Override
  public NetRoutes routes() {
    return routes;
  }

  @Override
  public Intake intake() {
    return intake;
  }

  @Override
  public String mode() {
    return routes.linksNow().stream()
        .filter(one -> one.index() == link.index())
        .map(one -> one.xdp().mode())
        .filter(mode -> mode != Link.XdpMode.NONE)
        .map(mode -> mode.name().toLowerCase(Locale.ROOT))
        .findFirst()
        .orElse("");
  }

  @Override
  public List<String> offloads(List<String> names) {
    return Offloads.on(space, link.name(), names);
  }

  @Override
  public Optional<FileMover> file() {
    return Optional.empty();
  }

  @Override
  public void withHost(String app, int address) {
    hosts.add(app, address);
    routes.refresh();
  }

  @Override
  public void withoutHost(String app) {
    hosts.remove(app);
  }

  @Override
  public void close() {
    if (hosts != null) {
      hosts.close();
    }
    if (intake != null) {
      intake.close();
    }
    parts.forEach(TilePart::close);
    if (routes != null) {
      routes.close();
    }
    space.close();
  }
}
