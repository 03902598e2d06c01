package io.isle.net.xdp.net;

import io.isle.api.net.NetException;
import io.isle.api.net.NetFinding;
import io.isle.api.net.NetInfo;
import io.isle.lib.ffi.PosixException;
import io.isle.net.xdp.settings.NetSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A net as its settings, its interface and the bundle of tiles come and go. Belongs to the executor
 * of the nets.
 */
final class Net {
  private static final System.Logger LOG = System.getLogger(Net.class.getName());

  private static final Duration RETRY = Duration.ofSeconds(1);

  private final String name;
  private final NetPlatform platform;
  private final NetTiles tiles;
  private final NetWiring wiring;
  private final NetSocket socket;
  private final Preparation preparation;
  private NetSettings settings;
  private OpenNet open;

  private String reason = "";
  private boolean closed;
  private boolean retrying;

  Net(String name, NetSettings settings, NetPlatform platform) {
    this.name = name;
    this.settings = settings;
    this.platform = platform;
    tiles = new NetTiles(name, platform, this::reload);
    wiring = new NetWiring(this, tiles);
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

  /** Why the net has failed; empty while it has not. */
  String reason() {
    return reason;
  }

  /** The links and taps of the net. */
  NetWiring wiring() {
    return wiring;
  }

  /** Takes up changed settings. */
  void change(NetSettings to) {
    boolean keeps = open != null && settings.keepsSockets(to);
    settings = to;
    if (keeps) {
      wiring.change(() -> {});
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
      wiring.start(open);
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

  /** Closes the net until the cause is gone; the net is opened anew again and again. */
  void fail(String why) {
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
   * As {@link #reload}; a file that has ended is read again.
   *
   * @throws NetException EIO if the file cannot be read; the net stays as it is
   */
  void again() {
    Optional<FileMover> ended = opened().flatMap(OpenNet::file).filter(FileMover::hasEnded);
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

  /** What a file waits for before its first frame; empty if it does not wait. */
  String waiting() {
    return opened().flatMap(OpenNet::file).filter(file -> !file.hasBegun()).isPresent()
        ? platform.waiting().apply(this)
        : "";
  }

  /** Whether tiles move frames in the platform. */
  boolean isRunningHere() {
    return tiles.areRunningHere();
  }

  /** The bundle of tiles has come or has gone, or a tile has failed. */
  void reload() {
    if (closed || open == null) {
      return;
    }
    tiles.stop();
    try {
      wiring.startTiles(open);
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
    wiring.end(
        () -> {
          socket.close();
          platform.ended().accept(this);
        });
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
        ? NetReport.failed(name, settings, reason, wiring.ports())
        : NetReport.open(name, settings, open, tiles, wiring.ports(), problems());
  }

  /** Ends the net. */
  void close() {
    closed = true;
    shut();
    preparation.end(null);
  }
}
