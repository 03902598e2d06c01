package io.isle.net.xdp.net;

import io.isle.api.base.Errno;
import io.isle.api.net.FrameMatch;
import io.isle.api.net.NetException;
import io.isle.net.xdp.attach.Attachment;
import io.isle.net.xdp.settings.AppSettings;
import java.util.List;
import java.util.Optional;

/**
 * The links and taps of a net, by which its tiles move frames. Tiles stop while links or taps
 * change. Belongs to the executor of the nets.
 */
final class NetWiring {
  private final Net net;
  private final NetTiles tiles;
  private final NetApps apps = new NetApps();

  /** Null without a capture. */
  private NetTap tap;

  /** While apps leave, tiles do not start anew for each of them. */
  private boolean ending;

  /** Tiles have stopped, and start behind the last of several changes. */
  private boolean together;

  NetWiring(Net net, NetTiles tiles) {
    this.net = net;
    this.tiles = tiles;
  }

  private OpenNet open() {
    return net.opened()
        .orElseThrow(
            () -> new NetException(Errno.ENODEV, "net " + net.name() + ": " + net.reason()));
  }

  /** Ports of all apps. */
  List<Integer> ports() {
    return apps.ports();
  }

  /** Attached instances of an app. */
  int instances(String app) {
    return apps.instances(app);
  }

  /**
   * Starts the tiles, and has the program take what apps want; nothing without apps.
   *
   * @throws NetException as {@link NetTiles#start}
   */
  void start(OpenNet open) {
    apps.write(open.apps());
    List<Integer> ports = apps.ports();
    open.redirect()
        .match(
            ports.isEmpty()
                ? Optional.empty()
                : Optional.of(new FrameMatch(ports, net.settings().address(), false)));
    startTiles(open);
  }

  /**
   * Starts the tiles alone: apps and program are as before.
   *
   * @throws NetException as {@link NetTiles#start}
   */
  void startTiles(OpenNet open) {
    tiles.start(open, net.settings(), apps, tap);
  }

  /** Ends all links while apps leave. */
  void end(Runnable leave) {
    ending = true;
    leave.run();
    ending = false;
    apps.clear();
  }

  /** Stops the tiles, changes something, and starts them again. */
  void change(Runnable change) {
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
    Optional<OpenNet> open = net.opened();
    if (open.isEmpty() || ending) {
      return;
    }
    try {
      start(open.get());
    } catch (NetException e) {
      net.fail(e.getMessage());
    }
  }

  /** Several attachments and ends of them at once: the tiles are opened anew behind the last. */
  void together(Runnable changes) {
    change(
        () -> {
          together = true;
          try {
            changes.run();
          } finally {
            together = false;
          }
        });
  }

  /**
   * Makes links for further instances of an app.
   *
   * @throws NetException as {@link NetApps#links}; ENODEV while the net has failed
   */
  List<AppLinks> links(String app, AppSettings wanted, int count) {
    OpenNet ignored = open();
    return apps.links(app, wanted, count, net.settings());
  }

  /** Frames come and go by the links from now on. */
  void attach(NetApps.Attached app) {
    net.opened().ifPresent(now -> now.published().begin(app.links()));
    change(() -> apps.add(app));
  }

  /**
   * Makes what a process gets of links; frames come and go by them from now on.
   *
   * @throws NetException ENODEV while the net has failed
   */
  Attachment lend(AppLinks links) {
    OpenNet open = open();
    Attachment attachment = links.lend(open.parts(), net.settings().address());
    for (int tile = 0; tile < open.parts().size(); tile++) {
      open.parts().get(tile).sleeper().add(links.bell(tile));
    }
    attach(new NetApps.Attached(links, Optional.empty(), Optional.empty()));
    return attachment;
  }

  /** The links are not used any more when the call returns. */
  void detach(AppLinks links) {
    change(
        () -> {
          apps.remove(links);
          net.opened().ifPresent(open -> leave(open, links));
        });
  }

  private static void leave(OpenNet open, AppLinks links) {
    open.published().end(links);
    for (int tile = 0; tile < open.parts().size(); tile++) {
      if (links.bell(tile) >= 0) {
        open.parts().get(tile).sleeper().remove(links.bell(tile));
      }
    }
  }

  /**
   * The taps of the tiles, for one more capture, which {@link #release}s them.
   *
   * @throws NetException ENODEV while the net has failed
   */
  NetTap tap() {
    OpenNet open = open();
    if (tap == null) {
      tap = new NetTap(open.parts());
    }
    tap.hold();
    return tap;
  }

  /** Tiles show their frames from now on, and ring behind them. */
  void watch(Optional<AppBell> bell) {
    change(() -> bell.ifPresent(apps::watch));
  }

  /** Tiles do not ring any more; behind the last capture, they do not show frames either. */
  void unwatch(NetTap shown, Optional<AppBell> bell) {
    change(
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
}
