package io.isle.net.ports.port;

import io.isle.api.base.Errno;
import io.isle.api.net.port.OpenPort;
import io.isle.api.net.port.PortCounters;
import java.lang.foreign.MemorySegment;

/** A port that passes frames on as they come, and sends each frame when it is published. */
public abstract class BasePort implements OpenPort {
  /** Least bytes of a frame to send: the header of Ethernet. */
  protected static final int LEAST_FRAME = 14;

  private final String address;
  private final MemorySegment memory;
  private final long place;
  private final int mtu;
  private final CallGate gate = new CallGate();
  private final Tally received = new Tally();
  private final Tally sent = new Tally();
  private final Tally receiveDropped = new Tally();
  private final Tally sendDropped = new Tally();
  private int claimed;
  private long overruns;
  private volatile String failure = "";

  /**
   * A port that is open.
   *
   * @param address with its scheme
   * @param memory in which a frame to send is written
   * @param place of the frame in the memory
   * @param mtu largest frame to send; 0 if nothing can be sent
   */
  protected BasePort(String address, MemorySegment memory, long place, int mtu) {
    this.address = address;
    this.memory = memory;
    this.place = place;
    this.mtu = mtu;
  }

  /**
   * Passes frames on by {@link #pass}.
   *
   * @param place the handler, if it wants to know that frames are whole; else null
   * @param limit most frames to take, 1 or more
   * @return frames that were passed on
   */
  protected abstract int receive(Handler handler, PlaceHandler place, int limit);

  /**
   * Sends the frame at its place in the memory.
   *
   * @return whether it has left
   */
  protected abstract boolean send(int length);

  /** Gives back what the port uses; once, after the last call. */
  protected abstract void release();

  /** Frames that the kernel has lost because too many waited; one thread at a time. */
  protected abstract long lost();

  /** Passes a frame on. */
  protected final void pass(
      Handler handler, PlaceHandler placed, MemorySegment frames, long offset, int length) {
    received.one();
    handler.frame(frames, offset, length, 0);
    if (placed != null) {
      placed.valid();
    }
  }

  /** Counts a frame that cannot be passed on. */
  protected final void drop() {
    receiveDropped.one();
  }

  /** Ends the port for a reason; the first one counts. Any thread. */
  public final void fail(String reason) {
    synchronized (gate) {
      if (!gate.isClosed()) {
        failure = reason;
      }
      close();
    }
  }

  @Override
  public final int poll(Handler handler, int limit) {
    return frames(handler, null, limit);
  }

  @Override
  public final int pollInPlace(PlaceHandler handler, int limit) {
    return frames(handler, handler, limit);
  }

  private int frames(Handler handler, PlaceHandler placed, int limit) {
    if (!gate.enter()) {
      return -Errno.ECLOSED;
    }
    try {
      int count = receive(handler, placed, limit);
      return count == 0 && gate.isClosed() ? -Errno.ECLOSED : count;
    } finally {
      leave();
    }
  }

  private void leave() {
    if (gate.leave()) {
      release();
    }
  }

  /** Whether the port has ended. */
  public final boolean isClosed() {
    return gate.isClosed();
  }

  @Override
  public final MemorySegment memory() {
    return memory;
  }

  @Override
  public final int mtu() {
    return mtu;
  }

  @Override
  public final long claim(int length) {
    if (gate.isClosed()) {
      return -Errno.ECLOSED;
    }
    if (length < LEAST_FRAME || length > mtu) {
      return -Errno.EMSGSIZE;
    }
    claimed = length;
    return place;
  }

  @Override
  public final int publish(int length, long signature) {
    if (!gate.enter()) {
      return -Errno.ECLOSED;
    }
    try {
      if (length < LEAST_FRAME || length > claimed) {
        return -Errno.EINVAL;
      }
      claimed = 0;
      (send(length) ? sent : sendDropped).one();
      return 0;
    } finally {
      leave();
    }
  }

  @Override
  public final int flush() {
    return gate.isClosed() ? -Errno.ECLOSED : 0;
  }

  @Override
  public final String address() {
    return address;
  }

  @Override
  public final String failure() {
    return failure;
  }

  @Override
  public final long overruns() {
    synchronized (received) {
      if (gate.enter()) {
        try {
          overruns = lost();
        } finally {
          leave();
        }
      }
      return overruns;
    }
  }

  @Override
  public final PortCounters counters() {
    return new PortCounters(
        received.number(),
        sent.number(),
        receiveDropped.number() + overruns(),
        sendDropped.number());
  }

  @Override
  public final void close() {
    if (gate.close()) {
      release();
    }
  }
}
