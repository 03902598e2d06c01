package io.isle.net.xdp.host.child;

import io.isle.api.net.tile.Tile;
import io.isle.api.net.tile.Tiles;
import io.isle.lib.agent.AgentHost;
import io.isle.lib.ffi.DescriptorMessage;
import io.isle.lib.ffi.EventDescriptor;
import io.isle.lib.ffi.NumberedDescriptor;
import io.isle.lib.ffi.Sockets;
import io.isle.lib.shm.AgentBells;
import io.isle.lib.shm.RemoteBell;
import io.isle.net.xdp.host.wire.OrderReader;
import io.isle.net.xdp.host.wire.Orders;
import io.isle.net.xdp.host.wire.TileOrder;
import io.isle.net.xdp.host.wire.TilePage;
import io.isle.net.xdp.socket.TileSleeper;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;

/** The tile of this process with all that it holds. Belongs to the main thread. */
final class RunningChild implements AutoCloseable {
  private static final int PAGE = 4096;

  private final Arena arena = Arena.ofShared();
  private final Sockets sockets = new Sockets();

  /** To close at the end. */
  private final Set<Integer> held = new HashSet<>();

  /** Sockets with an agreed number. */
  private int ports;

  private TileSleeper sleeper;
  private Tile tile;
  private AgentHost.Placement placement;

  /**
   * Takes the descriptors of an order, maps its memory, opens the tile and runs it.
   *
   * @param bytes of the order behind its kind and number
   * @throws io.isle.api.net.NetException as {@link Tiles#open}; nothing is held then
   */
  static RunningChild open(
      ByteBuffer bytes, DescriptorMessage message, Tiles tiles, AgentHost host, TilePage page) {
    RunningChild child = new RunningChild();
    boolean open = false;
    try {
      child.begin(bytes, message, tiles, host, page);
      open = true;
      return child;
    } finally {
      if (!open) {
        child.close();
      }
    }
  }

  private void begin(
      ByteBuffer bytes, DescriptorMessage message, Tiles tiles, AgentHost host, TilePage page) {
    TileOrder order;
    try {
      order = OrderReader.open(bytes, message::descriptor, arena);
    } catch (RuntimeException e) {
      message.closeReceived();
      throw e;
    }
    for (int i = 0; i < message.count(); i++) {
      held.add(message.descriptor(i));
    }
    message.forgetReceived();
    for (int port = 0; port < order.sockets().size(); port++) {
      boolean ignored = held.remove(order.sockets().get(port));
      NumberedDescriptor.move(order.sockets().get(port), Orders.FIRST_PORT + port);
      ports++;
    }
    boolean ignored = held.remove(order.wake());
    sleeper =
        new TileSleeper(
            EventDescriptor.adopt(order.wake()),
            IntStream.range(Orders.FIRST_PORT, Orders.FIRST_PORT + ports).boxed().toList(),
            order.asleep());
    sleeper.tell(order.told());
    order.bells().forEach(sleeper::add);
    tile = tiles.open(order.memory(), new SocketCalls());
    placement =
        host.start(
            new ChildAgent(
                tile,
                sleeper,
                order.woken().stream().map(one -> new RemoteBell(one.bell(), one.agent())).toList(),
                order.processors(),
                page),
            new AgentBells(arena.allocate(PAGE, PAGE), arena));
  }

  /** Ends the tile, and unmaps all: the sockets are free for others. */
  @Override
  public void close() {
    if (placement != null) {
      placement.close();
    }
    if (tile != null) {
      tile.close();
    }
    if (sleeper != null) {
      sleeper.close();
    }
    for (int port = 0; port < ports; port++) {
      // something must keep the number
      NumberedDescriptor.copy(Orders.PAGE, Orders.FIRST_PORT + port);
    }
    for (int descriptor : held) {
      int ignored = sockets.close(descriptor);
    }
    arena.close();
  }
}
