package io.isle.lib.tango;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** Races of the two sides of a link, run by {@link LinkRacesTest}. */
public final class LinkStress {
  private static final int DEPTH = 128;
  private static final int MTU = 128;
  private static final int TORN = -1;
  private static final int LOST = 0;

  private LinkStress() {}

  /** Memory for the states that jcstress keeps at a time; all bytes of it are zero at first. */
  private static final class Slots {
    private static final int COUNT = 1024;
    private static final long LINES = TangoLayout.aligned(Mcache.footprint(DEPTH, 0), 4096);
    private static final long DATA = Dcache.dataBytes(MTU, DEPTH, 1);
    private static final long BYTES = LINES + TangoLayout.aligned(DATA, 4096);
    private static final MemorySegment ALL = Arena.global().allocate(COUNT * BYTES, 4096);
    private static final AtomicInteger NEXT = new AtomicInteger();

    static MemorySegment next() {
      return ALL.asSlice(Math.floorMod(NEXT.getAndIncrement(), COUNT) * BYTES, BYTES);
    }
  }

  /** A link whose lines are all in use: the next fragment takes the line of the first. */
  private static class Sides {
    final MemorySegment memory = Slots.next();
    final Mcache mcache = Mcache.create(memory, DEPTH, 0, -DEPTH);
    final Chunks chunks = Chunks.of(memory, Slots.LINES, Slots.DATA, MTU);
    final LinkWriter writer = new LinkWriter(mcache, chunks);
    final LinkReader reader;
    final Fseq fseq = Fseq.create(Arena.ofAuto().allocate(Fseq.BYTES, Fseq.BYTES), -DEPTH);

    Sides(int published) {
      reader = new LinkReader(mcache, -DEPTH);
      for (int i = 0; i < published; i++) {
        publish();
      }
    }

    /** The payload is the number of the fragment, in two words at the ends of the slot. */
    final void publish() {
      long seq = writer.seq();
      TangoLayout.LONG.setOpaque(memory, writer.offset(), seq);
      TangoLayout.LONG.setOpaque(memory, writer.offset() + MTU - 8, seq);
      writer.publish(seq, MTU, Frag.WHOLE, (int) seq, (int) seq);
    }

    /** Position of the read fragment, from 1; TORN for a mixture. */
    final int read() {
      if (reader.poll() != 0) {
        return LOST;
      }
      Frag frag = reader.frag();
      long seq = frag.seq();
      long at = Chunks.offset(frag.chunk());
      boolean whole = frag.sig() == seq && frag.tsorig() == (int) seq && frag.size() == MTU;
      whole &= (long) TangoLayout.LONG.getOpaque(memory, at + MTU - 8) == seq;
      whole &= (long) TangoLayout.LONG.getOpaque(memory, at) == seq;
      if (reader.take() != 0) {
        return LOST;
      }
      return whole ? (int) (seq + DEPTH + 1) : TORN;
    }
  }

  /** A fragment is read while it is published. */
  @JCStressTest
  @Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "not yet")
  @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "all of it")
  @State
  public static class Publishing extends Sides {
    public Publishing() {
      super(0);
    }

    @Actor
    public void writer() {
      publish();
    }

    @Actor
    public void reader(I_Result result) {
      result.r1 = read();
    }
  }

  /** A fragment is read while the line and then the payload are overwritten. */
  @JCStressTest
  @Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "overrun, and noticed")
  @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "all of it")
  @State
  public static class Overwriting extends Sides {
    public Overwriting() {
      super(DEPTH);
    }

    @Actor
    public void writer() {
      // the third payload lies where the first one was
      publish();
      publish();
      publish();
      publish();
    }

    @Actor
    public void reader(I_Result result) {
      result.r1 = read();
    }
  }

  /**
   * A reliable consumer gives a fragment back: its payload is overwritten only behind its reads.
   */
  @JCStressTest
  @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "no credit yet")
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "given back, and used")
  @State
  public static class GivingBack extends Sides {
    final Fctl fctl;

    public GivingBack() {
      super(DEPTH);
      fctl =
          new Fctl(
              java.util.List.of(new Fctl.Consumer(fseq, DEPTH)),
              new Fctl.Limits(1, DEPTH, 1, 1),
              writer.seq());
    }

    @Actor
    public void writer(II_Result result) {
      if (fctl.update(writer.seq()) > 0) {
        publish();
        result.r2 = 1;
      }
    }

    @Actor
    public void reader(II_Result result) {
      result.r1 = read();
      fseq.seq(reader.seq());
    }
  }

  /** What is below seq[0] is there. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "nothing told, nothing read")
  @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "read before it was told")
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "told, and read")
  @State
  public static class Telling extends Sides {
    public Telling() {
      super(0);
    }

    @Actor
    public void writer() {
      publish();
      writer.settle();
    }

    @Actor
    public void reader(II_Result result) {
      result.r1 = (int) (mcache.produced() + DEPTH);
      result.r2 = read();
    }
  }

  /** A line is read by {@link Lines} while it is published again. */
  @JCStressTest
  @Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "overrun, and noticed")
  @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "all of it")
  @State
  public static class Replacing {
    final Lines lines = Mcache.create(Slots.next(), DEPTH, 0, 0).lines();

    public Replacing() {
      lines.publish(0, 1, 1, 1, 1, 1, 1);
    }

    @Actor
    public void writer() {
      lines.publish(DEPTH, 2, 2, 2, 2, 2, 2);
    }

    @Actor
    public void reader(I_Result result) {
      Frag frag = new Frag();
      if (lines.read(0, frag) != 0) {
        result.r1 = LOST;
        return;
      }
      boolean whole = frag.sig() == 1 && frag.chunk() == 1 && frag.size() == 1 && frag.ctl() == 1;
      result.r1 = whole && frag.tsorig() == 1 && frag.tspub() == 1 ? 1 : TORN;
    }
  }
}
