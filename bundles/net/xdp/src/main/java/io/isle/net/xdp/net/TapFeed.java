package io.isle.net.xdp.net;

import io.isle.api.net.FramePort;
import io.isle.lib.tango.Mcache;
import io.isle.net.xdp.tap.Overruns;
import io.isle.net.xdp.tap.TapPort;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** The taps of all tiles of a net, for captures. */
final class TapFeed implements AppFeed {
  private final Net net;
  private final NetTap tap;
  private final Counted port;
  private Optional<AppBell> bell = Optional.empty();

  /**
   * @throws io.isle.api.net.NetException as {@link NetWiring#tap}
   */
  TapFeed(Net net) {
    this.net = net;
    tap = net.wiring().tap();
    port = new Counted(new TapPort(tap.memories()), Mcache.open(tap.memories().getFirst()));
  }

  /** Counts frames that were taken. */
  private static final class Counted implements FramePort, FilePace.Reader {
    private final TapPort port;
    private final Mcache first;
    private final long start;
    private final AtomicLong received = new AtomicLong();

    Counted(TapPort port, Mcache first) {
      this.port = port;
      this.first = first;
      start = first.next();
    }

    @Override
    public int depth() {
      return first.depth();
    }

    /** Of the first tile. */
    @Override
    public long produced() {
      return first.produced() - start;
    }

    @Override
    public long taken() {
      return received.getAcquire() + port.overruns();
    }

    private int counted(int count) {
      if (count > 0) {
        received.setRelease(received.getPlain() + count);
      }
      return count;
    }

    @Override
    public int poll(Handler handler, int limit) {
      return counted(port.poll(handler, limit));
    }

    @Override
    public int pollInPlace(PlaceHandler handler, int limit) {
      return counted(port.pollInPlace(handler, limit));
    }

    @Override
    public long overruns() {
      return port.overruns();
    }

    @Override
    public MemorySegment memory() {
      return port.memory();
    }

    @Override
    public int mtu() {
      return port.mtu();
    }

    @Override
    public long claim(int length) {
      return port.claim(length);
    }

    @Override
    public int publish(int length, long signature) {
      return port.publish(length, signature);
    }

    @Override
    public int flush() {
      return port.flush();
    }

    @Override
    public void close() {
      port.close();
    }
  }

  @Override
  public FramePort port() {
    return port;
  }

  @Override
  public void begin(Optional<TileAgent.OnTile> onTile, Optional<AppBell> ring) {
    bell = ring;
    tap.readers().add(port);
    net.wiring().watch(bell);
  }

  @Override
  public void end() {
    tap.readers().remove(port);
    net.wiring().unwatch(tap, bell);
  }

  @Override
  public long received() {
    return port.received.getAcquire();
  }

  @Override
  public long sent() {
    return 0;
  }

  @Override
  public Overruns lost() {
    return port.port.lost();
  }

  @Override
  public void close() {
    net.wiring().release(tap);
  }
}
