package io.isle.net.xdp.net;

import io.isle.api.net.FrameMatch;
import io.isle.lib.ffi.NetNamespace;
import io.isle.net.xdp.bpf.MissCounters;
import io.isle.net.xdp.bpf.RedirectProgram;
import io.isle.net.xdp.bpf.XdpLink;
import io.isle.net.xdp.bpf.XdpProgram;
import io.isle.net.xdp.bpf.XskMap;
import java.util.List;
import java.util.Optional;

/**
 * The program of a net on its interface: attached while an app has a port, replaced in place when
 * ports change. Belongs to the executor of the nets.
 */
final class Redirect implements Intake {
  private final NetNamespace space;
  private final int interfaceIndex;
  private final XdpLink.Mode mode;
  private final int queues;
  private final XskMap sockets;
  private final MissCounters misses;
  private Optional<FrameMatch> match = Optional.empty();
  private XdpLink link;

  /**
   * Nothing is attached yet.
   *
   * @param wires whose sockets take frames, by queue
   */
  Redirect(NetNamespace space, int interfaceIndex, XdpLink.Mode mode, List<SocketWire> wires) {
    this.space = space;
    this.interfaceIndex = interfaceIndex;
    this.mode = mode;
    queues = wires.getLast().queue() + 1;
    sockets = new XskMap(queues);
    try {
      // one more for all queues behind those of the net
      misses = new MissCounters(queues + 1);
    } catch (RuntimeException e) {
      sockets.close();
      throw e;
    }
    try {
      wires.forEach(wire -> sockets.put(wire.queue(), wire.descriptor()));
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** What was in force stays if the kernel refuses. */
  @Override
  public void match(Optional<FrameMatch> wanted) {
    if (wanted.equals(match)) {
      return;
    }
    if (wanted.isEmpty()) {
      detach();
    } else {
      long[] code =
          RedirectProgram.counting(
              wanted.get(), sockets.descriptor(), misses.descriptor(), queues + 1);
      try (XdpProgram program = XdpProgram.load(code)) {
        if (link != null) {
          link.update(program);
        } else {
          link = space.call(() -> XdpLink.attach(program, interfaceIndex, mode));
        }
      }
    }
    match = wanted;
  }

  @Override
  public boolean isAttached() {
    return link != null;
  }

  @Override
  public long missed() {
    long sum = 0;
    for (int queue = 0; queue <= queues; queue++) {
      sum += misses.count(queue);
    }
    return sum;
  }

  private void detach() {
    if (link != null) {
      link.close();
      link = null;
    }
  }

  @Override
  public void close() {
    detach();
    sockets.close();
    if (misses != null) {
      misses.close();
    }
  }
}
