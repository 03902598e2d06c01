package io.isle.net.xdp.net;

import io.isle.api.net.FrameMatch;
import io.isle.api.net.NetException;
import io.isle.api.net.tile.PollMode;
import io.isle.api.net.tile.PortMemory;
import io.isle.api.net.tile.RingMemory;
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
import java.util.function.LongSupplier;

/**
 * Capture files in the place of a socket: frames of one file arrive as fast as apps take them,
 * frames to send go to another. Frames move on the thread of the tile; no kernel has a part in it.
 */
final class FileWire implements Wire, Intake {
  private static final System.Logger LOG = System.getLogger(FileWire.class.getName());

  private final Arena lifetime = Arena.ofShared();
  private final int rxFrames;
  private final int txFrames;
  private final FileRoutes routes;
  private final MemoryKernel kernel;
  private final CapturePort port;
  private final FileMover mover;
  private volatile boolean attached;

  private FileWire(NetSettings settings, MemorySegment umem, FileRoutes routes, CapturePort port) {
    rxFrames = settings.rxQueue();
    txFrames = settings.txQueue();
    this.routes = routes;
    this.port = port;
    kernel = new MemoryKernel(lifetime, umem, Umem.FRAME_BYTES, rxFrames, txFrames);
    mover = new FileMover(kernel, port);
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

  /** What moves the frames, and counts them. */
  FileMover mover() {
    return mover;
  }

  @Override
  public void match(Optional<FrameMatch> wanted) {
    attached = wanted.isPresent();
    mover.match(wanted);
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
