package io.isle.net.xdp.net;

import io.isle.api.base.Errno;
import io.isle.api.net.FrameMatch;
import io.isle.api.net.NetException;
import io.isle.api.net.NetInfo;
import io.isle.api.net.NetState;
import io.isle.api.net.TileInfo;
import io.isle.api.net.tile.Tiles;
import io.isle.api.observe.AuditTrail;
import io.isle.lib.agent.AgentHost;
import io.isle.lib.agent.SerialExecutor;
import io.isle.lib.ffi.PosixException;
import io.isle.net.xdp.attach.AttachAudit;
import io.isle.net.xdp.attach.AttachServer;
import io.isle.net.xdp.attach.Attachment;
import io.isle.net.xdp.lab.NetSpaces;
import io.isle.net.xdp.settings.NetSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A net as its settings, its interface and the bundle of tiles come and go. Belongs to the executor
 * of the nets, but for {@link #info}.
 */
final class Net {
  private static final System.Logger LOG = System.getLogger(Net.class.getName());

  /** All users: who may attach is decided by the user of the process. */
  private static final int SOCKET_MODE = 0666;

  private static final Duration RETRY = Duration.ofSeconds(1);

  private final String name;
  private final Platform platform;
  private final List<RunningTile> tiles = new ArrayList<>();
  private final NetApps apps;
  private final ProcessApps processes;
  private NetSettings settings;
  private OpenNet open;
  private AttachServer server;

  /** Null without a capture. */
  private NetTap tap;

  private String socketProblem = "";
  private String reason = "";
  private boolean closed;
  private boolean retrying;

  /** While apps leave, tiles do not start anew for each of them. */
  private boolean ending;

  private volatile NetInfo info;

  /**
   * What all nets use.
   *
   * @param host runs tiles
   * @param executor of the nets
   * @param spaces finds network namespaces
   * @param tiles the service, or null while no bundle offers one
   * @param sockets where processes attach
   * @param opened told when a net has sockets: apps may attach
   * @param ended told before a net closes its sockets: apps leave
   */
  record Platform(
      AgentHost host,
      SerialExecutor executor,
      NetSpaces spaces,
      Supplier<Tiles> tiles,
      Sockets sockets,
      Consumer<Net> opened,
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
    apps = new NetApps();
    processes = new ProcessApps(this, platform.executor(), platform.sockets().apps());
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
      stopTiles();
      match();
      startTiles();
    } else {
      shut();
      open();
    }
  }

  private void open() {
    try {
      open =
          OpenNet.open(
              name, settings, platform.spaces(), platform.executor(), view -> kernelChanged());
      reason = "";
      match();
      startTiles();
      listen();
      platform.opened().accept(this);
    } catch (NetException | PosixException e) {
      fail(e.getMessage());
    } catch (OutOfMemoryError e) {
      fail("the platform has too little memory for the net: " + e.getMessage());
    }
    tell();
  }

  /** A net goes on without a socket for processes, and says so. */
  private void listen() {
    socketProblem = "";
    processes.begin();
    try {
      server =
          AttachServer.start(
              name,
              settings
                  .socket()
                  .orElse(platform.sockets().folder().resolve("net-" + name + ".sock")),
              SOCKET_MODE,
              processes,
              new AttachAudit(name, platform.sockets().trail()));
    } catch (NetException | PosixException e) {
      socketProblem = "socket: no process can attach: " + e.getMessage();
      LOG.log(System.Logger.Level.WARNING, "net {0}: {1}", name, socketProblem);
    }
  }

  private void silence() {
    if (server != null) {
      processes.end();
      server.close();
      server = null;
      processes.takeAllBack();
    }
  }

  /** Ends the attachments of an app soon. */
  void endProcesses(String app) {
    if (server != null) {
      server.end(app);
    }
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
    tell();
  }

  /**
   * Makes links for an app.
   *
   * @throws NetException as {@link NetApps#links}; ENODEV while the net has failed
   */
  AppLinks links(String app, List<Integer> ports, int depth) {
    if (open == null) {
      throw new NetException(Errno.ENODEV, "net " + name + ": " + reason);
    }
    return apps.links(app, ports, depth, settings.tiles(), settings.appFrames());
  }

  /** Frames come and go by the links from now on. */
  void attach(NetApps.Attached app) {
    rewire(() -> apps.add(app));
  }

  /** The links are not used any more when the call returns. */
  void detach(AppLinks links) {
    rewire(
        () -> {
          apps.remove(links);
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
  void watch(Runnable bell) {
    rewire(() -> apps.watch(bell));
  }

  /** Tiles do not ring any more; behind the last capture, they do not show frames either. */
  void unwatch(NetTap shown, Runnable bell) {
    rewire(
        () -> {
          apps.unwatch(bell);
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
    stopTiles();
    change.run();
    if (open == null || ending) {
      return;
    }
    try {
      match();
      startTiles();
    } catch (NetException e) {
      fail(e.getMessage());
    }
    tell();
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

  private void startTiles() {
    Tiles service = platform.tiles().get();
    if (service == null || open == null) {
      return;
    }
    for (TilePart part : open.parts()) {
      int tile = tiles.size();
      part.sleeper().tell(apps.told(tile));
      tiles.add(
          new RunningTile(
              "net-" + name + "-" + tile,
              service,
              part.memory(open.shared(), settings, apps.rxLinks(tile), apps.txLinks(tile))
                  .withTap(tap == null ? null : tap.memories().get(tile)),
              part,
              apps,
              tile,
              platform.host(),
              cause -> platform.executor().execute(this::reload)));
    }
  }

  private void stopTiles() {
    tiles.forEach(RunningTile::close);
    tiles.clear();
  }

  /** The bundle of tiles has come or goes, or a tile has failed. */
  void reload() {
    if (closed || open == null) {
      return;
    }
    stopTiles();
    try {
      startTiles();
      reason = "";
    } catch (NetException e) {
      fail(e.getMessage());
    }
    tell();
  }

  private void shut() {
    stopTiles();
    ending = true;
    silence();
    platform.ended().accept(this);
    ending = false;
    apps.clear();
    if (open != null) {
      open.close();
      open = null;
    }
  }

  private void tell() {
    List<TileInfo> parts = new ArrayList<>();
    if (open != null) {
      open.parts().forEach(part -> parts.add(part.info(tiles.size() == open.parts().size())));
    }
    info =
        new NetInfo(
            name,
            state(),
            open != null && tiles.isEmpty() ? "no bundle offers tiles" : reason,
            settings.interfaceName(),
            settings.namespace(),
            apps.ports(),
            settings.mode().name().toLowerCase(Locale.ROOT),
            settings.zeroCopy(),
            settings.poll().name().toLowerCase(Locale.ROOT),
            open == null ? "" : open.mode(),
            parts,
            notes());
  }

  private NetState state() {
    return open == null ? NetState.FAILED : tiles.isEmpty() ? NetState.WAITING : NetState.RUNNING;
  }

  private List<String> notes() {
    List<String> notes = new ArrayList<>();
    if (open != null) {
      open.parts().forEach(part -> notes.addAll(part.truth().notes()));
      if (!socketProblem.isEmpty()) {
        notes.add(socketProblem);
      }
      if (!open.routes().problem().isEmpty()) {
        notes.add("routes: " + open.routes().problem());
      }
    }
    return notes.stream().distinct().toList();
  }

  /** Figures as they are now; by the executor. */
  NetInfo now() {
    tell();
    return info;
  }

  /** Ends the net. */
  void close() {
    closed = true;
    shut();
  }
}
