package io.isle.net.xdp.host.wire;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.api.net.tile.PortMemory;
import io.isle.api.net.tile.RingMemory;
import io.isle.api.net.tile.RxLinkMemory;
import io.isle.api.net.tile.TileMemory;
import io.isle.api.net.tile.TxLinkMemory;
import java.lang.foreign.MemorySegment;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** Writes orders as messages: numbers, and the descriptors that they count. */
public final class OrderWriter {
  private final ByteBuffer bytes = ByteBuffer.allocate(Orders.MOST_BYTES);
  private final List<Integer> descriptors = new ArrayList<>();
  private final TileOrder order;

  private OrderWriter(TileOrder order) {
    this.order = order;
    bytes.order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * A message.
   *
   * @param descriptors in the order of their indices
   */
  public record Message(byte[] bytes, int[] descriptors) {}

  /** The order to close. */
  public static Message close(int number) {
    OrderWriter writer = new OrderWriter(null);
    writer.bytes.putInt(Orders.CLOSE).putInt(number);
    return writer.message();
  }

  /**
   * The order to open.
   *
   * @throws NetException ENOSPC if the tile has more links than a message
   * @throws IllegalArgumentException for memory in none of the files
   */
  public static Message open(int number, TileOrder order) {
    try {
      return new OrderWriter(order).open(number);
    } catch (BufferOverflowException e) {
      throw new NetException(Errno.ENOSPC, "too many links for a tile in a process", e);
    }
  }

  private Message open(int number) {
    bytes.putInt(Orders.OPEN).putInt(number);
    bytes.putShort((short) order.files().size());
    for (TileFile file : order.files()) {
      descriptor(file.descriptor());
      bytes.put((byte) file.access().ordinal()).putLong(file.offset());
      bytes.putLong(file.memory().byteSize());
    }
    descriptors(order.sockets());
    descriptor(order.wake());
    segment(order.asleep());
    descriptors(order.bells());
    bytes.putShort((short) order.told().size());
    order.told().forEach(this::segment);
    bytes.putShort((short) order.woken().size());
    for (BellPages one : order.woken()) {
      segment(one.bell());
      segment(one.agent());
    }
    bytes.putShort((short) order.processors().size());
    order.processors().forEach(one -> bytes.putShort(one.shortValue()));
    memory(order.memory());
    return message();
  }

  private Message message() {
    if (descriptors.size() > Orders.MOST_DESCRIPTORS) {
      throw new BufferOverflowException();
    }
    byte[] used = new byte[bytes.flip().remaining()];
    bytes.get(used);
    return new Message(used, descriptors.stream().mapToInt(Integer::intValue).toArray());
  }

  private void descriptors(List<Integer> all) {
    bytes.putShort((short) all.size());
    all.forEach(this::descriptor);
  }

  private void descriptor(int one) {
    int index = descriptors.indexOf(one);
    if (index < 0) {
      index = descriptors.size();
      descriptors.add(one);
    }
    bytes.putShort((short) index);
  }

  private void segment(MemorySegment segment) {
    if (segment == null) {
      bytes.putShort((short) Orders.NONE).putLong(0).putLong(0);
      return;
    }
    for (int i = 0; i < order.files().size(); i++) {
      TileFile file = order.files().get(i);
      if (file.has(segment)) {
        bytes.putShort((short) i).putLong(segment.address() - file.memory().address());
        bytes.putLong(segment.byteSize());
        return;
      }
    }
    throw new IllegalArgumentException("memory of a tile that no process can map");
  }

  private void memory(TileMemory memory) {
    bytes.putInt(memory.tile()).putInt(memory.tiles());
    segment(memory.umem());
    bytes.putInt(memory.frameBytes()).putInt(memory.frames());
    segment(memory.ledger());
    segment(memory.state());
    bytes.putShort((short) memory.ports().size());
    memory.ports().forEach(this::port);
    bytes.putInt(memory.loopbackIndex());
    bytes.putShort((short) memory.rxLinks().size());
    memory.rxLinks().forEach(this::rxLink);
    bytes.putShort((short) memory.txLinks().size());
    memory.txLinks().forEach(this::txLink);
    segment(memory.apps());
    segment(memory.routes());
    bytes.putLong(memory.flushNs()).put((byte) (memory.dropBadChecksums() ? 1 : 0));
    segment(memory.tap());
  }

  private void port(PortMemory port) {
    bytes.putInt(port.interfaceIndex());
    ring(port.fill());
    ring(port.rx());
    ring(port.tx());
    ring(port.completion());
    bytes.putInt(port.rxFrames()).putInt(port.txFrames()).put((byte) port.poll().ordinal());
  }

  private void ring(RingMemory ring) {
    segment(ring.memory());
    bytes.putLong(ring.producer()).putLong(ring.consumer()).putLong(ring.flags());
    bytes.putLong(ring.entries()).putInt(ring.size());
  }

  private void rxLink(RxLinkMemory link) {
    bytes.putInt(link.app()).putInt(link.instance());
    segment(link.mcache());
  }

  private void txLink(TxLinkMemory link) {
    bytes.putInt(link.slot()).putLong(link.id());
    segment(link.memory());
    bytes.putLong(link.mcache()).putInt(link.depth()).putLong(link.seq0());
    bytes.putLong(link.data()).putLong(link.dataBytes()).putInt(link.mtu());
    segment(link.progress());
  }
}
