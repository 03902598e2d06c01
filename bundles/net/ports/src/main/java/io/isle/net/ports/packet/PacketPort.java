package io.isle.net.ports.packet;

import io.isle.api.net.NetException;
import io.isle.api.net.port.PortOptions;
import io.isle.lib.ffi.MessageBatch;
import io.isle.lib.ffi.SocketErrors;
import io.isle.lib.ffi.SocketIo;
import io.isle.net.ports.port.SocketPort;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * All frames that an interface receives, for whomever they are, beside the kernel's own network.
 * Frames are as on the wire: checksums that a device would compute are right, VLAN tags are in
 * their place. Frames that a device would cut into several are dropped and counted.
 */
final class PacketPort extends SocketPort {
  /** Before a frame; the frame is aligned to 16 bytes. */
  private static final int HEAD = 16;

  private static final int VNET = HEAD - VnetHeader.BYTES;

  private final int stride;
  private final int largest;
  private final MemorySegment arrived;
  private final MessageBatch batch;
  private final SocketIo io = new SocketIo();

  private PacketPort(String address, int descriptor, PortOptions options) {
    super(
        address,
        descriptor,
        Arena.ofAuto().allocate(HEAD + options.mtu(), HEAD),
        HEAD,
        options.mtu());
    largest = options.mtu();
    stride = HEAD + largest + HEAD - 1 & -HEAD;
    arrived = Arena.ofAuto().allocate((long) stride * BATCH, HEAD);
    batch = new MessageBatch(arrived, BATCH);
    for (int i = 0; i < BATCH; i++) {
      batch.set(i, (long) i * stride + VNET, VnetHeader.BYTES + largest);
    }
  }

  /**
   * Opens an interface.
   *
   * @param address with the scheme
   * @throws NetException as {@link PacketSocket#open}
   */
  static PacketPort open(String address, PacketAddress place, PortOptions options) {
    return new PacketPort(address, new PacketSocket(address, place).open(options), options);
  }

  @Override
  protected MessageBatch batch() {
    return batch;
  }

  @Override
  protected int message(int index, Handler handler, PlaceHandler place) {
    long at = (long) index * stride;
    int length = batch.length(index) - VnetHeader.BYTES;
    if (length < LEAST_FRAME
        || batch.truncated(index)
        || !VnetHeader.complete(arrived, at + VNET, length)) {
      drop();
      return 0;
    }
    long tag = batch.vlanTag(index);
    if (tag < 0) {
      pass(handler, place, arrived, at + HEAD, length);
      return 1;
    }
    if (length + VlanTag.BYTES > largest) {
      drop();
      return 0;
    }
    VlanTag.insert(arrived, at + HEAD, (int) tag);
    pass(handler, place, arrived, at + HEAD - VlanTag.BYTES, length + VlanTag.BYTES);
    return 1;
  }

  @Override
  protected String reason(int code) {
    return code == -SocketErrors.ENETDOWN ? "the interface is down or gone" : super.reason(code);
  }

  @Override
  protected boolean send(int length) {
    VnetHeader.clear(memory(), VNET);
    int bytes = VnetHeader.BYTES + length;
    return io.send(descriptor(), memory(), VNET, bytes, 0) == bytes;
  }
}
