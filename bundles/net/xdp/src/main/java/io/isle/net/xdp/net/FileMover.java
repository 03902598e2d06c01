package io.isle.net.xdp.net;

import io.isle.api.net.FrameMatch;
import io.isle.api.net.FrameSource;
import io.isle.lib.packet.UdpMatch;
import io.isle.lib.tile.MemoryKernel;
import io.isle.net.xdp.file.CapturePort;
import io.isle.net.xdp.socket.Umem;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Moves frames between capture files and the rings of a tile, behind the cycles of the tile: as
 * fast as apps take them. {@link #cycle} and {@link #deadlineNs} belong to the thread of the tile.
 */
final class FileMover implements TileAgent.OnTile {
  private static final int BURST = 256;

  /** Most bytes of a frame that arrives. */
  static final int MOST_BYTES = MemoryKernel.mostBytes(Umem.FRAME_BYTES);

  private static final long AGAIN_NS = 50_000;
  private static final UdpMatch NOTHING = new UdpMatch(List.of(), OptionalInt.empty());

  private final MemoryKernel kernel;
  private final CapturePort port;
  private final FrameSource.Handler arriving = this::arrive;
  private final MemoryKernel.Sent leaving = this::leave;
  private final AtomicLong read = new AtomicLong();
  private final AtomicLong others = new AtomicLong();
  private final AtomicLong tooLong = new AtomicLong();
  private final AtomicLong sent = new AtomicLong();
  private volatile UdpMatch match = NOTHING;
  private volatile boolean begun;
  private volatile boolean ended;
  private volatile FilePace pace = new FilePace(List.of());
  private boolean unflushed;
  private long retryNs = Long.MAX_VALUE;

  FileMover(MemoryKernel kernel, CapturePort port) {
    this.kernel = kernel;
    this.port = port;
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

  /** Takes other frames of the file from now on; none if empty. */
  void match(Optional<FrameMatch> wanted) {
    match = wanted.map(one -> new UdpMatch(one.ports(), one.address())).orElse(NOTHING);
  }
}
