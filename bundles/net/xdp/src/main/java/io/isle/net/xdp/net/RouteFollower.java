package io.isle.net.xdp.net;

import io.isle.api.net.NetException;
import io.isle.lib.agent.SerialExecutor;
import io.isle.lib.ffi.NetNamespace;
import io.isle.lib.tile.RouteTable;
import io.isle.net.xdp.netlink.Link;
import io.isle.net.xdp.netlink.Neighbours;
import io.isle.net.xdp.netlink.NetMonitor;
import io.isle.net.xdp.netlink.NetView;
import io.isle.net.xdp.netlink.RouteMirror;
import io.isle.net.xdp.netlink.Rtnetlink;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Keeps the table of routes of a net as the kernel has it, and asks the kernel for neighbours that
 * tiles miss. Belongs to the executor of the nets.
 */
final class RouteFollower implements NetRoutes {
  private static final System.Logger LOG = System.getLogger(RouteFollower.class.getName());
  private static final Duration LOOK = Duration.ofMillis(20);

  private final String net;
  private final NetMonitor monitor;
  private final Rtnetlink kernel;
  private final Neighbours neighbours;
  private final RouteMirror mirror;
  private final SerialExecutor executor;
  private final Consumer<NetView> changed;
  private final Runnable missed;
  private volatile NetView view = NetView.EMPTY;
  private volatile String problem = "";
  private boolean closed;

  /**
   * Reads all, then follows.
   *
   * @param table new memory of {@link RouteTable}
   * @param changed told by the executor
   * @param missed run now and then by the executor: asks for neighbours that tiles miss
   * @throws NetException if the kernel does not answer
   */
  RouteFollower(
      String net,
      NetNamespace space,
      MemorySegment table,
      SerialExecutor executor,
      Consumer<NetView> changed,
      Runnable missed) {
    this.net = net;
    this.missed = missed;
    this.executor = executor;
    this.changed = changed;
    mirror = new RouteMirror(new RouteTable(table));
    monitor = NetMonitor.in(space);
    Rtnetlink opened;
    try {
      opened = Rtnetlink.in(space);
    } catch (RuntimeException e) {
      monitor.close();
      throw e;
    }
    kernel = opened;
    neighbours = new Neighbours(kernel);
    try {
      boolean ignored = monitor.poll();
      take();
    } catch (RuntimeException e) {
      close();
      throw e;
    }
    again();
  }

  private void take() {
    view = monitor.view();
    mirror.write(view);
    problem = mirror.problem();
  }

  private void again() {
    var ignored = executor.after(LOOK, this::look);
  }

  private void look() {
    if (closed) {
      return;
    }
    missed.run();
    try {
      if (monitor.poll()) {
        take();
        changed.accept(view);
      }
    } catch (NetException e) {
      String why = "the kernel's routes cannot be read: " + e.getMessage();
      if (!why.equals(problem)) {
        problem = why;
        LOG.log(System.Logger.Level.WARNING, "net {0}: {1}", net, why);
      }
    }
    again();
  }

  /** Requests to the kernel in the namespace of the net. */
  Rtnetlink kernel() {
    return kernel;
  }

  /** Brings own changes of the kernel's tables to the tiles at once. */
  void refresh() {
    if (monitor.poll()) {
      take();
    }
  }

  @Override
  public void ask(int interfaceIndex, int address, long nowNs) {
    try {
      boolean ignored = neighbours.ask(interfaceIndex, address, nowNs);
    } catch (NetException e) {
      LOG.log(System.Logger.Level.WARNING, "net {0}: {1}", net, e.getMessage());
    }
  }

  @Override
  public List<Link> linksNow() {
    return kernel.links();
  }

  @Override
  public NetView view() {
    return view;
  }

  @Override
  public String problem() {
    return problem;
  }

  @Override
  public void close() {
    closed = true;
    monitor.close();
    kernel.close();
  }
}
