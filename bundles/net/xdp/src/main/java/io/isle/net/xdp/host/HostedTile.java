package io.isle.net.xdp.host;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.api.net.TileProcessInfo;
import io.isle.net.xdp.host.wire.TileOrder;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A tile in a process: keeps a process of the wanted version, with a further one as a standby, and
 * replaces one that ends. What the tile works on stays with its owner. Thread-safe.
 */
public final class HostedTile implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(HostedTile.class.getName());

  private final String name;
  private final TileStarter starter;
  private final Later later;
  private final Runnable refused;
  private final Set<TileProcess> all = new HashSet<>();
  private final TileProcess.Events events =
      new TileProcess.Events() {
        @Override
        public void ready(TileProcess process) {
          advance();
        }

        @Override
        public void ended(TileProcess process, String how, Duration lived) {
          lost(process, how, lived);
        }
      };

  // Guarded by this.
  private final Restarts restarts;
  private TileVersion version;
  private boolean keepsStandby;
  private TileOrder order;
  private TileProcess current;
  private TileProcess standby;

  /** The tile of {@link #order} runs in {@link #current}. */
  private boolean open;

  /** Another process is to take the place of {@link #current}. */
  private boolean outdated;

  private String refusal = "";
  private boolean closed;

  /**
   * @param name for the log, such as {@code net n, tile 0}
   * @param later for starts after a delay
   * @param restarts belongs to this tile from now on
   * @param refused told when a process refuses what it shall work on; see {@link #refusal}
   */
  HostedTile(String name, TileStarter starter, Later later, Restarts restarts, Runnable refused) {
    this.name = name;
    this.starter = starter;
    this.later = later;
    this.restarts = restarts;
    this.refused = refused;
  }

  /**
   * From now on, processes are of this version; one of another version is replaced without a gap.
   *
   * @param wanted retained while processes use it
   * @param withStandby whether a further process waits
   */
  public synchronized void want(TileVersion wanted, boolean withStandby) {
    if (closed) {
      return;
    }
    keepsStandby = withStandby;
    if (version != wanted) {
      if (version != null) {
        version.release();
      }
      wanted.retain();
      version = wanted;
      outdated = current != null && current.version() != wanted;
    }
    if (standby != null && (standby.version() != version || !keepsStandby && !needsAnother())) {
      standby.leave();
      standby = null;
    }
    advance();
  }

  /** Another process takes the place of the present one, as soon as it is ready. */
  public synchronized void renew() {
    outdated = current != null;
    advance();
  }

  /** The tile runs on this memory, from now on or as soon as there is a process. */
  public synchronized void open(TileOrder wanted) {
    order = wanted;
    refusal = "";
    advance();
  }

  /** The memory is not used any more when the call returns. */
  public synchronized void stop() {
    order = null;
    if (open) {
      open = false;
      current.closeTile();
    }
  }

  /** Whether a tile moves frames. */
  public synchronized boolean isRunning() {
    return open && current.isReady();
  }

  /** Why a process refused its memory; empty if none did. */
  public synchronized String refusal() {
    return refusal;
  }

  /** As it is now. */
  public synchronized TileProcessInfo info() {
    return new TileProcessInfo(
        pid(current),
        standby != null && standby.isReady() ? pid(standby) : OptionalLong.empty(),
        restarts.starts(),
        restarts.reason(),
        current == null ? List.of() : current.report().lines().toList());
  }

  private static OptionalLong pid(TileProcess process) {
    return process == null ? OptionalLong.empty() : OptionalLong.of(process.pid());
  }

  private boolean needsAnother() {
    return current == null || outdated;
  }

  /** Does what can be done now. */
  private synchronized void advance() {
    if (closed || version == null) {
      return;
    }
    Duration wait = restarts.left();
    if (!wait.isPositive() && needsAnother() && standby != null && standby.isReady()) {
      takeOver();
    }
    if (current != null && order != null && !open) {
      begin();
    }
    if (wait.isPositive()) {
      later.run(wait, this::advance);
    } else if (standby == null && (needsAnother() || keepsStandby)) {
      standby = starter.start(name, version, events);
      all.add(standby);
      standby.start();
    }
  }

  private void takeOver() {
    TileProcess before = current;
    if (before != null && open) {
      open = false;
      before.closeTile();
    }
    if (before != null) {
      before.leave();
    }
    current = standby;
    standby = null;
    outdated = false;
    restarts.tookOver();
    LOG.log(System.Logger.Level.INFO, "{0}: process {1} runs", name, Long.toString(current.pid()));
  }

  private void begin() {
    try {
      current.open(order);
      open = true;
      restarts.began();
    } catch (NetException e) {
      if (e.code() == Errno.ENODEV || e.code() == Errno.ETIMEDOUT) {
        // its end is told soon
        current.kill();
        return;
      }
      refusal = e.getMessage();
      order = null;
      refused.run();
    }
  }

  private synchronized void lost(TileProcess process, String how, Duration lived) {
    all.remove(process);
    boolean mine = process == current;
    if (!mine && process != standby) {
      return;
    }
    if (mine) {
      current = null;
      open = false;
      outdated = false;
    } else {
      standby = null;
    }
    Duration delay = mine ? restarts.ended() : restarts.ended(lived);
    String who = (mine ? "process " : "standby process ") + process.pid();
    String what = who + " " + how + restarts.often();
    if (mine || current == null) {
      restarts.reason(what);
    }
    if (!closed) {
      LOG.log(
          System.Logger.Level.WARNING,
          "{0}: {1}; another one {2}",
          name,
          what,
          delay.isZero() ? "takes over" : "starts in " + delay.toMillis() + " ms");
    }
    advance();
  }

  /** Ends all processes, and waits for their ends: about a second at most. */
  @Override
  public void close() {
    Set<TileProcess> left;
    synchronized (this) {
      if (closed) {
        return;
      }
      stop();
      closed = true;
      left = Set.copyOf(all);
      left.forEach(TileProcess::leave);
      if (version != null) {
        version.release();
      }
    }
    left.forEach(TileProcess::join);
  }
}
