package io.isle.net.ports.port;

import io.isle.api.base.Errno;
import io.isle.lib.ffi.MessageBatch;
import io.isle.lib.ffi.MessageIo;
import io.isle.lib.ffi.SocketErrors;
import io.isle.lib.ffi.Sockets;
import java.lang.foreign.MemorySegment;

/** A port whose frames are the messages of a socket; the socket is the port's own. */
public abstract class SocketPort extends BasePort {
  /** Messages that are received with one call of the kernel. */
  protected static final int BATCH = 16;

  private final int descriptor;
  private final MessageIo messages = new MessageIo();
  private final SocketRoom room;

  /**
   * A port that is open, as {@link BasePort#BasePort}.
   *
   * @param descriptor of the socket, closed with the port
   */
  protected SocketPort(String address, int descriptor, MemorySegment memory, long place, int mtu) {
    super(address, memory, place, mtu);
    this.descriptor = descriptor;
    room = new SocketRoom(descriptor);
  }

  /** Where messages arrive, {@link #BATCH} at a time; always the same. */
  protected abstract MessageBatch batch();

  /**
   * Passes a message on that has arrived, or drops it.
   *
   * @param index in the batch
   * @return frames that were passed on, 0 or 1
   */
  protected abstract int message(int index, Handler handler, PlaceHandler place);

  /** What an error of the socket means. */
  protected String reason(int code) {
    return SocketErrors.text(code);
  }

  @Override
  protected final int receive(Handler handler, PlaceHandler place, int limit) {
    int count = 0;
    int taken = 0;
    while (taken < limit && !isClosed()) {
      int most = Math.min(BATCH, limit - taken);
      int got = messages.receiveMany(descriptor, batch(), 0, most, 0);
      if (got < 0) {
        failed(got);
        break;
      }
      for (int i = 0; i < got; i++) {
        count += message(i, handler, place);
      }
      taken += got;
      if (got < most) {
        break;
      }
    }
    return count;
  }

  private void failed(int code) {
    if (code != -Errno.EAGAIN) {
      fail(address() + ": " + reason(code));
    }
  }

  @Override
  protected final long lost() {
    return room.dropped();
  }

  @Override
  public final int descriptor() {
    return descriptor;
  }

  @Override
  protected final void release() {
    int ignored = new Sockets().close(descriptor);
  }
}
