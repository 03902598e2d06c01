package io.isle.net.xdp.net;

import io.isle.api.base.Errno;
import io.isle.api.net.FrameMatch;
import io.isle.api.net.NetException;
import io.isle.api.net.NetFinding;
import io.isle.api.net.NetInfo;
import io.isle.api.net.tile.Tiles;
import io.isle.api.observe.AuditTrail;
import io.isle.lib.agent.AgentHost;
import io.isle.lib.agent.SerialExecutor;
import io.isle.lib.ffi.PosixException;
import io.isle.net.xdp.attach.Attachment;
import io.isle.net.xdp.host.TileHosts;
import io.isle.net.xdp.lab.NetSpaces;
import io.isle.net.xdp.settings.AppSettings;
import io.isle.net.xdp.settings.NetSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A net as its settings, its interface and the bundle of tiles come and go. Belongs to the executor
 * of the nets.
 */
final class Net {
  private static final System.Logger LOG = System.getLogger(Net.class.getName());

  private static final Duration RETRY = Duration.ofSeconds(1);

  private final String name;
  private final Platform platform;
  private final NetApps apps = new NetApps();
  private final NetTiles tiles;
  private final NetSocket socket;
  private final Preparation preparation;
  private NetSettings settings;
  private OpenNet open;

  /** Null without a capture. */
  private NetTap tap;

  private String reason = "";
  private boolean closed;
  private boolean retrying;

  /** While apps leave, tiles do not start anew for each of them. */
  private boolean ending;

  /** Tiles have stopped, and start behind the last of several changes. */
  private boolean together;

  /**
   * What all nets use.
   *
   * @param host runs tiles
   * @param executor of the nets
   * @param spaces finds network namespaces
   * @param tiles the service, or null while no bundle offers one
   * @param tileHosts of tiles in processes
   * @param sockets where processes attach
   * @param hosts that do not exist, to which apps send
   * @param preparations of interfaces
   * @param opened told when a net has sockets: apps may attach
   * @param waiting tells which app of a net is not there yet; empty if all are
   * @param ended told before a net closes its sockets: apps leave
   */
  record Platform(
      AgentHost host,
      SerialExecutor executor,
      NetSpaces spaces,
      Supplier<Tiles> tiles,
      TileHosts tileHosts,
      Sockets sockets,
      HostFile hosts,
      Preparation.Work preparations,
      Consumer<Net> opened,
      Function<Net, String> waiting,
      Consumer<Net> ended) {}

  /**
   * Where processes attach.
   *
   * @param folder of the socket files
   * @param trail records who attaches
   * @param apps finds an app; any thread
   */
  record Sockets(Path folder, AuditTrail trail, Function<String, Optional<App>> apps) {}

  Net(String name, NetSettings settings, Platform platform) {
    this.name = name;
    this.settings = settings;
    this.platform = platform;
    tiles = new NetTiles(name, platform, this::reload);
    socket =
        new NetSocket(
            name,
            platform.sockets(),
            new ProcessApps(this, platform.executor(), platform.sockets().apps()));
    preparation = new Preparation(name, platform.preparations());
    open();
  }

  String name() {
    return name;
  }

  NetSettings settings() {
    return settings;
  }

  /** The sockets and routes; empty while the net has failed. */
  Optional<OpenNet> opened() {
    return Optional.ofNullable(open);
  }

  /** Takes up changed settings. */
  void change(NetSettings to) {
    boolean keeps = open != null && settings.keepsSockets(to);
    settings = to;
    if (keeps) {
      rewire(() -> {});
    } else {
      shut();
      preparation.end(to);
      open();
    }
  }

  private void open() {
    preparation.begin(settings);
    try {
      open =
          OpenNet.open(
              name,
              settings,
              platform.spaces(),
              platform.executor(),
              view -> kernelChanged(),
              platform.hosts(),
              () -> platform.waiting().apply(this).isEmpty());
      reason = "";
      match();
      tiles.start(open, settings, apps, tap);
      socket.open(settings);
      platform.opened().accept(this);
    } catch (NetException | PosixException e) {
      fail(e.getMessage());
    } catch (OutOfMemoryError e) {
      fail("the platform has too little memory for the net: " + e.getMessage());
    }
  }

  /** Ends the attachments of an app soon. */
  void endProcesses(String app) {
    socket.end(app);
  }

  /** Makes what a process gets of links; frames come and go by them from now on. */
  Attachment lend(AppLinks links) {
    Attachment attachment = links.lend(open.parts(), settings.address());
    for (int tile = 0; tile < open.parts().size(); tile++) {
      open.parts().get(tile).sleeper().add(links.bell(tile));
    }
    attach(new NetApps.Attached(links, Optional.empty(), Optional.empty()));
    return attachment;
  }

  private void fail(String why) {
    shut();
    if (!why.equals(reason)) {
      LOG.log(System.Logger.Level.WARNING, "net {0}: {1}", name, why);
    }
    reason = why;
    if (!retrying && !closed) {
      retrying = true;
      var ignored = platform.executor().after(RETRY, this::retry);
    }
  }

  private void retry() {
    retrying = false;
    if (!closed && open == null) {
      open();
    }
  }

  private void kernelChanged() {
    if (open != null && !open.isPresent()) {
      fail("interface: " + settings.interfaceName() + " is gone");
    }
  }

  /**
   * Makes links for further instances of an app.
   *
   * @throws NetException as {@link NetApps#links}; ENODEV while the net has failed
   */
  List<AppLinks> links(String app, AppSettings wanted, int count) {
    if (open == null) {
      throw new NetException(Errno.ENODEV, "net " + name + ": " + reason);
    }
    return apps.links(app, wanted, count, settings);
  }

  /** Several attachments and ends of them at once: the tiles are opened anew behind the last. */
  void together(Runnable changes) {
    rewire(
        () -> {
          together = true;
          try {
            changes.run();
          } finally {
            together = false;
          }
        });
  }

  /** Frames come and go by the links from now on. */
  void attach(NetApps.Attached app) {
    opened().ifPresent(now -> now.published().begin(app.links()));
    rewire(() -> apps.add(app));
  }

  /** The links are not used any more when the call returns. */
  void detach(AppLinks links) {
    rewire(
        () -> {
          apps.remove(links);
          opened().ifPresent(now -> now.published().end(links));
          for (int tile = 0; open != null && tile < open.parts().size(); tile++) {
            if (links.bell(tile) >= 0) {
              open.parts().get(tile).sleeper().remove(links.bell(tile));
            }
          }
        });
  }

  /**
   * The taps of the tiles, for one more capture, which {@link #release}s them.
   *
   * @throws NetException ENODEV while the net has failed
   */
  NetTap tap() {
    if (open == null) {
      throw new NetException(Errno.ENODEV, "net " + name + ": " + reason);
    }
    if (tap == null) {
      tap = new NetTap(open.parts());
    }
    tap.hold();
    return tap;
  }

  /** Tiles show their frames from now on, and ring behind them. */
  void watch(Optional<AppBell> bell) {
    rewire(() -> bell.ifPresent(apps::watch));
  }

  /** Tiles do not ring any more; behind the last capture, they do not show frames either. */
  void unwatch(NetTap shown, Optional<AppBell> bell) {
    rewire(
        () -> {
          bell.ifPresent(apps::unwatch);
          if (shown.holders() == 1 && tap == shown) {
            tap = null;
          }
        });
  }

  /** A capture does not read the taps any more. */
  void release(NetTap shown) {
    if (shown.holders() == 1 && tap == shown) {
      // no tile was told of them
      tap = null;
    }
    shown.release();
  }

  private void rewire(Runnable change) {
    if (together) {
      change.run();
      return;
    }
    tiles.stop();
    try {
      change.run();
    } finally {
      startAgain();
    }
  }

  private void startAgain() {
    if (open == null || ending) {
      return;
    }
    try {
      match();
      tiles.start(open, settings, apps, tap);
    } catch (NetException e) {
      fail(e.getMessage());
    }
  }

  /** The program takes what apps want; none without apps. */
  private void match() {
    apps.write(open.apps());
    List<Integer> ports = apps.ports();
    open.redirect()
        .match(
            ports.isEmpty()
                ? Optional.empty()
                : Optional.of(new FrameMatch(ports, settings.address(), false)));
  }

  /**
   * As {@link #reload}; a file that has ended is read again.
   *
   * @throws NetException EIO if the file cannot be read; the net stays as it is
   */
  void again() {
    Optional<FileWire> ended = opened().flatMap(OpenNet::file).filter(FileWire::hasEnded);
    if (ended.isEmpty()) {
      renew();
    } else if (ended.get().failure().isEmpty()) {
      tiles.stop();
      try {
        ended.get().again();
      } finally {
        reload();
      }
    } else {
      shut();
      open();
    }
  }

  /** Attached instances of an app. */
  int instances(String app) {
    return apps.instances(app);
  }

  /** What a file waits for before its first frame; empty if it does not wait. */
  String waiting() {
    return opened().flatMap(OpenNet::file).filter(file -> !file.hasBegun()).isPresent()
        ? platform.waiting().apply(this)
        : "";
  }

  /** The bundle of tiles has come or goes, or a tile has failed. */
  void reload() {
    if (closed || open == null) {
      return;
    }
    tiles.stop();
    try {
      tiles.start(open, settings, apps, tap);
      reason = "";
    } catch (NetException e) {
      fail(e.getMessage());
    }
  }

  /** Opens the tiles anew; those of processes in other processes. */
  void renew() {
    tiles.renew();
  }

  private void shut() {
    tiles.stop();
    tiles.end();
    ending = true;
    socket.close();
    platform.ended().accept(this);
    ending = false;
    apps.clear();
    if (open != null) {
      open.close();
      open = null;
    }
  }

  private List<String> problems() {
    List<String> problems = new ArrayList<>();
    if (!socket.problem().isEmpty()) {
      problems.add(socket.problem());
    }
    if (!waiting().isEmpty()) {
      problems.add("file: not read yet: " + waiting());
    }
    problems.addAll(preparation.notes());
    return problems;
  }

  /** What differs of the settings of the interface. */
  List<NetFinding> prepared() {
    return preparation.findings();
  }

  /** Whether the net has ended. */
  boolean isClosed() {
    return closed;
  }

  /** Figures as they are now; by the executor. */
  NetInfo now() {
    return open == null
        ? NetReport.failed(name, settings, reason, apps.ports())
        : NetReport.open(name, settings, open, tiles, apps.ports(), problems());
  }

  /** Ends the net. */
  void close() {
    closed = true;
    shut();
    preparation.end(null);
  }
}
