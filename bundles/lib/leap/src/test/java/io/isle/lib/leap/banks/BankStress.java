package io.isle.lib.leap.banks;

import io.isle.api.base.Errno;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** Races of the two sides of a segment, run by {@link BankRacesTest}. */
public final class BankStress {
  private static final int FRAME = 256;
  private static final MemorySegment PATTERNS = Arena.global().allocate(2 * FRAME);

  static {
    PATTERNS.asSlice(0, FRAME).fill((byte) 7);
    PATTERNS.asSlice(FRAME, FRAME).fill((byte) 9);
  }

  private BankStress() {}

  /** Segments for the states that jcstress keeps at a time; of each, few pages are touched. */
  private static final class Segments {
    static final int COUNT = 1024;
    static final MemorySegment ALL = map();
    static final AtomicInteger NEXT = new AtomicInteger();

    static MemorySegment next() {
      long index = Math.floorMod(NEXT.getAndIncrement(), COUNT);
      MemorySegment segment = ALL.asSlice(index * BankLayout.BYTES, BankLayout.BYTES);
      segment.asSlice(BankLayout.STATES).fill((byte) 0);
      return segment;
    }

    private static MemorySegment map() {
      try {
        Path file = Files.createTempFile("isle-banks", "");
        try (FileChannel channel =
            FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
          return channel.map(
              FileChannel.MapMode.READ_WRITE, 0, COUNT * BankLayout.BYTES, Arena.global());
        } finally {
          Files.delete(file);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** The state of all tests: both sides of a segment. */
  private static class Sides {
    final MemorySegment segment = Segments.next();
    final BankWriter writer = new BankWriter(segment, 1, 0);
    final BankReader reader = new BankReader(segment, 0);
    final MemorySegment copy = Arena.ofAuto().allocate(FRAME);

    /** The byte that fills the copy; -1 for a copy of several. */
    int content() {
      byte first = copy.get(ValueLayout.JAVA_BYTE, 0);
      for (long i = 1; i < FRAME; i++) {
        if (copy.get(ValueLayout.JAVA_BYTE, i) != first) {
          return -1;
        }
      }
      return first;
    }
  }

  /** The reader takes a frame that is being written: all of it, or nothing yet. */
  @JCStressTest
  @Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "not yet")
  @Outcome(id = "7", expect = Expect.ACCEPTABLE, desc = "all of it")
  @State
  public static class Taking extends Sides {
    @Actor
    public void writer() {
      int ignored = writer.write(PATTERNS, 0, 8, PATTERNS, 8, FRAME - 8);
    }

    @Actor
    public void reader(I_Result result) {
      int got = reader.read(copy, 0, FRAME);
      result.r1 = got == -Errno.EAGAIN ? 0 : got == FRAME ? content() : -2;
    }
  }

  /** The writer fills the bank of a frame again as soon as the frame is taken. */
  @JCStressTest
  @Outcome(id = "7, 0", expect = Expect.ACCEPTABLE, desc = "busy")
  @Outcome(id = "7, 1", expect = Expect.ACCEPTABLE, desc = "written again")
  @State
  public static class GivingBack extends Sides {
    public GivingBack() {
      int ignored = writer.write(PATTERNS, 0, 0, PATTERNS, 0, FRAME);
      for (int i = 1; i < BankLayout.BANKS; i++) {
        ignored = writer.publish(0);
      }
    }

    @Actor
    public void writer(II_Result result) {
      result.r2 = writer.write(PATTERNS, FRAME, 8, PATTERNS, FRAME + 8, FRAME - 8) == 0 ? 1 : 0;
    }

    @Actor
    public void reader(II_Result result) {
      result.r1 = reader.read(copy, 0, FRAME) == FRAME ? content() : -2;
    }
  }

  /** The reader goes to sleep while a frame is written: it sees the frame, or the bell rings. */
  @JCStressTest
  @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "seen, and the bell is silent")
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "seen, and the bell rings")
  @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "asleep, and the bell rings")
  @State
  public static class SleepingForAFrame extends Sides {
    @Actor
    public void reader(II_Result result) {
      result.r1 = reader.lieDown();
    }

    @Actor
    public void writer(II_Result result) {
      int ignored = writer.publish(0);
      result.r2 = writer.bellDue() ? 1 : 0;
    }
  }

  /** The writer goes to sleep while a bank becomes free: it sees the bank, or the bell rings. */
  @JCStressTest
  @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "seen, and the bell is silent")
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "seen, and the bell rings")
  @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "asleep, and the bell rings")
  @State
  public static class SleepingForABank extends Sides {
    public SleepingForABank() {
      for (int i = 0; i < BankLayout.BANKS; i++) {
        int ignored = writer.publish(0);
      }
    }

    @Actor
    public void writer(II_Result result) {
      result.r1 = writer.lieDown() == 0 ? 1 : 0;
    }

    @Actor
    public void reader(II_Result result) {
      int ignored = reader.read(copy, 0, FRAME);
      result.r2 = reader.bellDue() ? 1 : 0;
    }
  }
}
