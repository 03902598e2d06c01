package io.isle.net.xdp.net;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.lib.agent.SerialExecutor;
import io.isle.lib.ffi.NetNamespace;
import io.isle.lib.tile.AppTable;
import io.isle.lib.tile.RouteTable;
import io.isle.net.xdp.attach.LentMemory;
import io.isle.net.xdp.bpf.XdpLink;
import io.isle.net.xdp.configure.Offloads;
import io.isle.net.xdp.host.wire.TileFile;
import io.isle.net.xdp.lab.NetSpaces;
import io.isle.net.xdp.netlink.Link;
import io.isle.net.xdp.netlink.NetView;
import io.isle.net.xdp.settings.NetSettings;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** All that a net has from the kernel: sockets, program, routes. */
final class OpenNet implements AutoCloseable {
  private static final int PAGE = 4096;
  private static final long ROUTES = (AppTable.BYTES + PAGE - 1) / PAGE * PAGE;

  private static final String LOOPBACK = "lo";
  private static final Duration LOOK = Duration.ofMillis(20);

  private final LentMemory tables;

  /** Null for files. */
  private final NetNamespace space;

  private final TilePart.Shared shared;
  private final List<TilePart> parts = new ArrayList<>();
  private Link link;
  private NetRoutes routes;
  private Runnable refresh = () -> {};
  private Intake intake;

  /** Null for an interface. */
  private FileWire file;

  /** Null for files. */
  private FakeHosts hosts;

  private LinkCounters published;
  private boolean closed;

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
   * @param ready whether all apps are there that a file waits for
   * @throws NetException ENODEV; ENETDOWN; EBUSY for a foreign program, or a socket on the queue;
   *     EPERM
   */
  static OpenNet open(
      String net,
      NetSettings settings,
      NetSpaces spaces,
      SerialExecutor executor,
      Consumer<NetView> changed,
      HostFile notes,
      BooleanSupplier ready) {
    boolean isFile = settings.file().isPresent();
    OpenNet open =
        new OpenNet(isFile ? null : spaces.open(settings.namespace(), settings.interfaceName()));
    try {
      if (isFile) {
        open.begin(net, settings, executor, ready);
      } else {
        open.begin(net, settings, executor, changed, notes);
      }
      open.published = new LinkCounters(net, open.parts);
      return open;
    } catch (RuntimeException e) {
      open.close();
      throw e;
    }
  }

  private void begin(
      String net,
      NetSettings settings,
      SerialExecutor executor,
      Consumer<NetView> changed,
      HostFile notes) {
    RouteFollower follower =
        new RouteFollower(net, space, shared.routes(), executor, changed, this::askForNeighbours);
    routes = follower;
    refresh = follower::refresh;
    link = free(settings.interfaceName());
    hosts = new FakeHosts(settings, link.index(), follower.kernel(), notes);
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

  private void begin(
      String net, NetSettings settings, SerialExecutor executor, BooleanSupplier ready) {
    FileRoutes made = new FileRoutes(settings.interfaceName(), shared.routes());
    routes = made;
    link = made.link();
    parts.add(
        TilePart.open(
            net,
            settings,
            umem -> {
              file = FileWire.open(settings, umem, made);
              return file;
            }));
    intake = file;
    look(executor, ready);
  }

  /** A file begins when all its apps are there, so that none misses frames. */
  private void look(SerialExecutor executor, BooleanSupplier ready) {
    if (closed) {
      return;
    }
    if (ready.getAsBoolean()) {
      file.begin();
      parts.getFirst().sleeper().wake();
    } else {
      var ignored = executor.after(LOOK, () -> look(executor, ready));
    }
  }

  /** The files in the place of an interface. */
  Optional<FileWire> file() {
    return Optional.ofNullable(file);
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

  NetRoutes routes() {
    return routes;
  }

  Intake redirect() {
    return intake;
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
    // to a file, all addresses are on the link
    if (hosts != null) {
      hosts.add(app, address);
      refresh.run();
    }
  }

  void withoutHost(String app) {
    if (hosts != null) {
      hosts.remove(app);
    }
  }

  /** Whether the interface still is the one that was opened. */
  boolean isPresent() {
    return view().links().stream()
        .anyMatch(one -> one.index() == link.index() && one.name().equals(link.name()));
  }

  /** Where the kernel runs the program; empty without one. */
  String mode() {
    if (file != null) {
      return "file";
    }
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
    closed = true;
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
    if (space != null) {
      space.close();
    }
    tables.close();
  }
}
