package io.isle.net.xdp.net;

import io.isle.api.net.FrameMatch;
import io.isle.api.net.FrameSource;
import io.isle.api.net.NetException;
import io.isle.api.net.tile.PollMode;
import io.isle.api.net.tile.PortMemory;
import io.isle.api.net.tile.RingMemory;
import io.isle.lib.packet.UdpMatch;
import io.isle.lib.tile.MemoryKernel;
import io.isle.lib.tile.RingLayout;
import io.isle.net.xdp.file.CapturePort;
import io.isle.net.xdp.settings.NetSettings;
import io.isle.net.xdp.socket.Umem;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Capture files in the place of a socket: frames of one file arrive as fast as apps take them,
 * frames to send go to another. Frames move on the thread of the tile, behind its cycles; no kernel
 * has a part in it.
 */
final class FileWire implements Wire, Intake, TileAgent.OnTile {
  private static final System.Logger LOG = System.getLogger(FileWire.class.getName());

  private static final int BURST = 256;

  /** Most bytes of a frame that arrives. */
  static final int MOST_BYTES = MemoryKernel.mostBytes(Umem.FRAME_BYTES);

  private static final long AGAIN_NS = 50_000;
  private static final UdpMatch NOTHING = new UdpMatch(List.of(), OptionalInt.empty());

  private final Arena lifetime = Arena.ofShared();
  private final int rxFrames;
  private final int txFrames;
  private final FileRoutes routes;
  private final MemoryKernel kernel;
  private final CapturePort port;
  private final FrameSource.Handler arriving = this::arrive;
  private final MemoryKernel.Sent leaving = this::leave;
  private final AtomicLong read = new AtomicLong();
  private final AtomicLong others = new AtomicLong();
  private final AtomicLong tooLong = new AtomicLong();
  private final AtomicLong sent = new AtomicLong();
  private volatile UdpMatch match = NOTHING;
  private volatile boolean attached;
  private volatile boolean begun;
  private volatile boolean ended;
  private volatile FilePace pace = new FilePace(List.of());
  private boolean unflushed;
  private long retryNs = Long.MAX_VALUE;

  private FileWire(NetSettings settings, MemorySegment umem, FileRoutes routes, CapturePort port) {
    rxFrames = settings.rxQueue();
    txFrames = settings.txQueue();
    this.routes = routes;
    this.port = port;
    kernel = new MemoryKernel(lifetime, umem, Umem.FRAME_BYTES, rxFrames, txFrames);
  }

  /**
   * Opens the files.
   *
   * @param umem frames of the tile
   * @throws io.isle.api.net.NetException as {@link CapturePort#open}
   */
  static FileWire open(NetSettings settings, MemorySegment umem, FileRoutes routes) {
    CapturePort port =
        CapturePort.open(
            settings.file().orElseThrow(),
            settings.pcapSent().orElse(null),
            Umem.FRAME_BYTES,
            clock());
    return new FileWire(settings, umem, routes, port);
  }

  /** Nanoseconds since 1970, by a clock that never goes back. */
  private static LongSupplier clock() {
    long begin = ChronoUnit.NANOS.between(Instant.EPOCH, Instant.now());
    long mark = System.nanoTime();
    return () -> begin + (System.nanoTime() - mark);
  }

  /** Frames arrive from now on. */
  void begin() {
    begun = true;
  }

  /** Whether frames arrive, or have arrived. */
  boolean hasBegun() {
    return begun;
  }

  /** Whether all frames have arrived, or none arrives any more because of {@link #failure}. */
  boolean hasEnded() {
    return ended;
  }

  /** Why a file has ended the port; empty without a reason. */
  String failure() {
    return port.failure();
  }

  /** Reads the file again that has ended; the tile does not run. */
  void again() {
    port.again();
    ended = false;
  }

  /** Those that a file waits for; the tile does not run. */
  void readers(List<FilePace.Reader> readers) {
    pace = new FilePace(readers);
  }

  /** Frames for ports of apps, which the tile got. */
  long framesRead() {
    return read.get();
  }

  /** Frames that a program would have left to the kernel. */
  long framesOfOthers() {
    return others.get();
  }

  /** Frames that are too long, or not of Ethernet. */
  long framesSkipped() {
    return tooLong.get() + port.skipped();
  }

  /** Frames that were written, or counted where no file is wanted. */
  long framesSent() {
    return sent.get();
  }

  @Override
  public int cycle(long nowNs) {
    int work = kernel.send(leaving, BURST);
    if (work > 0) {
      unflushed = true;
    } else if (unflushed) {
      unflushed = false;
      int ignored = port.flush();
    }
    retryNs = Long.MAX_VALUE;
    return begun && !ended ? work + receive(nowNs) : work;
  }

  private int receive(long nowNs) {
    int room = Math.min(BURST, Math.min(kernel.room(), pace.room(nowNs)));
    if (room == 0) {
      retryNs = nowNs + AGAIN_NS;
      return 0;
    }
    int count = port.poll(arriving, room);
    if (count > 0) {
      return count;
    }
    ended = (count < 0 || port.isAtEnd()) && kernel.isDrained();
    return 0;
  }

  private void arrive(MemorySegment memory, long offset, int length, long signature) {
    if (length > MOST_BYTES) {
      add(tooLong);
    } else if (!match.takes(memory, offset, length)) {
      add(others);
    } else if (kernel.receive(memory, offset, length)) {
      add(read);
    }
  }

  /** Of a counter that this thread alone writes. */
  private static void add(AtomicLong counter) {
    counter.setRelease(counter.getPlain() + 1);
  }

  private void leave(MemorySegment umem, long offset, int length) {
    long at = port.claim(length);
    if (at >= 0) {
      MemorySegment.copy(umem, offset, port.memory(), at, length);
      if (port.publish(length, 0) == 0) {
        add(sent);
      }
    }
  }

  @Override
  public long deadlineNs() {
    return retryNs;
  }

  @Override
  public void match(Optional<FrameMatch> wanted) {
    attached = wanted.isPresent();
    match = wanted.map(one -> new UdpMatch(one.ports(), one.address())).orElse(NOTHING);
    wanted.ifPresent(one -> routes.address(one.address()));
  }

  @Override
  public boolean isAttached() {
    return attached;
  }

  @Override
  public long missed() {
    return 0;
  }

  @Override
  public int queue() {
    return 0;
  }

  @Override
  public PortMemory memory() {
    return new PortMemory(
        FileRoutes.INDEX,
        ring(kernel.fill()),
        ring(kernel.rx()),
        ring(kernel.tx()),
        ring(kernel.completion()),
        rxFrames,
        txFrames,
        PollMode.SOFTIRQ);
  }

  private RingMemory ring(RingLayout layout) {
    return new RingMemory(
        kernel.memory(),
        layout.producer(),
        layout.consumer(),
        layout.flags(),
        layout.entries(),
        layout.size());
  }

  @Override
  public boolean zeroCopy() {
    return false;
  }

  @Override
  public String poll() {
    return "none";
  }

  @Override
  public long pinnedBytes() {
    return 0;
  }

  @Override
  public List<String> notes() {
    return List.of();
  }

  @Override
  public int wakeRx() {
    return 0;
  }

  @Override
  public int wakeTx() {
    return 0;
  }

  @Override
  public int statistics(MemorySegment into) {
    return 0;
  }

  /** Writes what was sent; idempotent. */
  @Override
  public void close() {
    if (lifetime.scope().isAlive()) {
      lifetime.close();
      try {
        port.close();
      } catch (NetException e) {
        LOG.log(System.Logger.Level.WARNING, "sent frames are lost: {0}", e.getMessage());
      }
    }
  }
}
