package io.isle.net.xdp.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.net.FramePort;
import io.isle.api.net.FrameSource;
import io.isle.lib.tango.Chunks;
import io.isle.lib.tango.Frag;
import io.isle.lib.tango.Fseq;
import io.isle.lib.tango.LinkReader;
import io.isle.lib.tango.Mcache;
import io.isle.net.xdp.file.FramePortContract;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The links of two tiles; the test is the tiles. */
class AppPortTest extends FramePortContract {
  private static final int DEPTH = 128;
  private static final int FRAME = 2048;
  private static final long DATA_BYTES = (DEPTH + 2L) * FRAME;

  private final Arena arena = Arena.ofAuto();
  private final MemorySegment umem = arena.allocate(2L * DEPTH * FRAME, 4096);
  private final List<Mcache> rx = List.of(line(), line());
  private final Mcache tx = line();
  private final MemorySegment data = arena.allocate(DATA_BYTES, 4096);
  private final LinkReader tile = new LinkReader(tx, tx.next());
  private final long[] next = {0, 0};

  private Mcache line() {
    long bytes = Mcache.footprint(DEPTH, 0);
    return Mcache.create(arena.allocate(bytes, Mcache.ALIGN), DEPTH, 0, 0);
  }

  private AppPort port() {
    Fseq progress = Fseq.create(arena.allocate(Fseq.BYTES, Fseq.BYTES), 0);
    return new AppPort(
        rx,
        List.of(umem, umem),
        tx,
        Chunks.of(data, 0, DATA_BYTES, MTU),
        List.of(progress),
        arena.allocate(FRAME),
        List.of());
  }

  /** A tile publishes a frame. */
  private void arrive(int of, byte[] frame) {
    long seq = next[of]++;
    long at = (of * DEPTH + seq % DEPTH) * FRAME;
    MemorySegment.copy(MemorySegment.ofArray(frame), 0, umem, at, frame.length);
    rx.get(of).publish(seq, seq, at / Chunks.BYTES, frame.length, 0, 0, 0);
  }

  @Override
  protected FramePort open(List<byte[]> arriving) {
    FramePort port = port();
    arriving.forEach(frame -> arrive(0, frame));
    return port;
  }

  @Override
  protected List<byte[]> sent() {
    List<byte[]> frames = new ArrayList<>();
    while (tile.poll() == 0) {
      Frag frag = tile.frag();
      frames.add(
          data.asSlice(Chunks.offset(frag.chunk()), frag.size()).toArray(ValueLayout.JAVA_BYTE));
      assertEquals(0, tile.take());
    }
    return frames;
  }

  @Test
  void framesThatAreNotReadInTimeAreCounted() {
    try (AppPort port = port()) {
      for (int i = 0; i < DEPTH + 5; i++) {
        arrive(1, new byte[60]);
      }
      List<Long> signatures = new ArrayList<>();
      int polled =
          port.poll((memory, offset, length, signature) -> signatures.add(signature), 1000);
      assertEquals(DEPTH + 5, polled + port.overruns());
      assertEquals(port.overruns(), port.lost().polling());
      assertTrue(port.overruns() > 0);
      assertEquals(DEPTH + 4L, signatures.getLast());
      assertEquals(polled, signatures.getLast() - signatures.getFirst() + 1);
    }
  }

  @Test
  void aFrameThatIsReplacedInPlaceIsNoValidOne() {
    try (AppPort port = port()) {
      arrive(0, new byte[60]);
      List<String> calls = new ArrayList<>();
      int valid =
          port.pollInPlace(
              new FrameSource.PlaceHandler() {
                @Override
                public void frame(MemorySegment memory, long offset, int length, long signature) {
                  calls.add("frame " + signature);
                  for (int i = 0; i < DEPTH && signature == 0; i++) {
                    arrive(0, new byte[60]);
                  }
                }

                @Override
                public void valid() {
                  calls.add("valid");
                }

                @Override
                public void overrun() {
                  calls.add("overrun");
                }
              },
              1);
      assertEquals(1, valid);
      assertEquals(List.of("frame 0", "overrun", "frame " + DEPTH, "valid"), calls);
      // the line of the frame tells only which frame has replaced it
      assertEquals(DEPTH, port.overruns());
      assertEquals(DEPTH, port.lost().reading());
      assertEquals(0, port.lost().polling());
    }
  }

  @Test
  void bothTilesHaveTheirTurn() {
    try (AppPort port = port()) {
      for (int i = 0; i < 3; i++) {
        arrive(0, new byte[60]);
        arrive(1, new byte[70]);
      }
      List<Integer> lengths = new ArrayList<>();
      assertEquals(6, port.poll((memory, offset, length, mark) -> lengths.add(length), 100));
      assertEquals(3, lengths.stream().filter(length -> length == 70).count());
    }
  }
}
