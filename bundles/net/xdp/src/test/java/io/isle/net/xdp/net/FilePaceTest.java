package io.isle.net.xdp.net;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class FilePaceTest {
  private static final class Link implements FilePace.Reader {
    long produced;
    long taken;

    @Override
    public int depth() {
      return 128;
    }

    @Override
    public long produced() {
      return produced;
    }

    @Override
    public long taken() {
      return taken;
    }
  }

  private final Link slow = new Link();
  private final Link quick = new Link();
  private final FilePace pace = new FilePace(List.of(slow, quick));

  @Test
  void theSlowestDecides() {
    assertEquals(64, pace.room(0));
    slow.produced = 60;
    quick.produced = 60;
    quick.taken = 50;
    assertEquals(4, pace.room(1));
    slow.taken = 30;
    assertEquals(34, pace.room(2));
    slow.produced = 130;
    assertEquals(0, pace.room(3));
  }

  @Test
  void whoTakesNothingIsNotWaitedForUntilItTakesFramesAgain() {
    slow.produced = 100;
    assertEquals(0, pace.room(5));
    assertEquals(0, pace.room(5 + FilePace.PATIENCE_NS - 1));
    assertEquals(64, pace.room(5 + FilePace.PATIENCE_NS));
    slow.taken = 1;
    assertEquals(0, pace.room(6 + FilePace.PATIENCE_NS));
    slow.taken = 100;
    assertEquals(64, pace.room(7 + FilePace.PATIENCE_NS));
  }

  /** The time without frames is none in which an app takes nothing. */
  @Test
  void patienceBeginsWithTheFrames() {
    assertEquals(64, pace.room(0));
    assertEquals(64, pace.room(5 * FilePace.PATIENCE_NS));
    slow.produced = 64;
    assertEquals(0, pace.room(5 * FilePace.PATIENCE_NS + 1));
  }

  @Test
  void nobodyIsWaitedForWithoutApps() {
    assertEquals(Integer.MAX_VALUE, new FilePace(List.of()).room(0));
  }
}
