package io.isle.benchmarks.net;

import io.isle.lib.tango.Fctl;
import io.isle.lib.tango.Frag;
import io.isle.lib.tango.Fseq;
import io.isle.lib.tango.Lines;
import io.isle.lib.tango.Mcache;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Map;

/**
 * Links of metadata between two threads that never sleep, as {@code bench-tango} has them between
 * two processes: {@code DEPTH}. Commands: {@code rate N}, {@code rtt N}; answers are nanoseconds of
 * a fragment.
 */
final class LinkProcess {
  private static final int CREDIT = 512;
  private static final int PART = 1_000_000;

  private final int depth;
  private final Mcache there;
  private final Mcache back;
  private final Mcache oneWay;
  private final Fseq fseq;
  private final Fctl credits;
  private long trips;
  private long sent;

  private LinkProcess(int depth) {
    this.depth = depth;
    there = mcache();
    back = mcache();
    oneWay = mcache();
    fseq = Fseq.create(Arena.global().allocate(Fseq.BYTES, 4096), 0);
    credits = new Fctl(List.of(new Fctl.Consumer(fseq, depth)), Fctl.Limits.USUAL, 0);
  }

  private Mcache mcache() {
    long bytes = Mcache.footprint(depth, 0);
    return Mcache.create(Arena.global().allocate(bytes, 4096), depth, 0, 0);
  }

  public static void main(String[] args) throws IOException {
    LinkProcess process = new LinkProcess(Integer.parseInt(args[0]));
    Asked.pin(0);
    Asked.answer(Map.of("rate", process::rate, "rtt", process::rtt));
  }

  private double rate(int count) {
    long end = sent + count;
    long nanos =
        Asked.timed(
            () -> consume(oneWay, fseq, end - count, end),
            () -> {
              sent = publish(oneWay, credits, sent, end);
              while (fseq.seq() != end) {
                Thread.onSpinWait();
              }
            });
    return nanos / (double) count;
  }

  private static long publish(Mcache link, Fctl credits, long from, long end) {
    Lines lines = link.lines();
    long seq = from;
    while (seq != end) {
      long count = Math.min(credits.update(seq), end - seq);
      if (count == 0) {
        Thread.onSpinWait();
      }
      credits.spend(count);
      for (long to = seq + count; seq != to; seq++) {
        lines.publish(seq, seq, 1, 64, Frag.WHOLE, 0, 0);
      }
    }
    return seq;
  }

  private static void consume(Mcache link, Fseq fseq, long from, long end) {
    for (long seq = from; seq != end; ) {
      seq = consumePart(link, fseq, seq, Math.min(end, seq + PART));
    }
  }

  /** A part of a long loop, so that it is compiled as a method of its own. */
  private static long consumePart(Mcache link, Fseq fseq, long from, long end) {
    Lines lines = link.lines();
    long seq = from;
    while (seq != end) {
      int count = taken(lines, seq, (int) Math.min(CREDIT, end - seq));
      if (count == 0) {
        Thread.onSpinWait();
      } else {
        seq += count;
        fseq.seq(seq);
      }
    }
    return seq;
  }

  /** Reads fragments until one is not yet published. */
  private static int taken(Lines lines, long from, int most) {
    int count = 0;
    while (count < most) {
      // compiled code has no object for this
      Frag got = new Frag();
      long seq = from + count;
      long ahead = lines.read(seq, got);
      if (ahead < 0) {
        break;
      }
      require(ahead == 0 && got.sig() == seq, seq);
      count++;
    }
    return count;
  }

  private static void require(boolean holds, long seq) {
    if (!holds) {
      throw new IllegalStateException("fragment " + seq + " is lost");
    }
  }

  private double rtt(int count) {
    long from = trips;
    trips += count;
    long nanos =
        Asked.timed(
            () -> echoAll(there, back, from, from + count),
            () -> roundTrips(there, back, from, from + count));
    return nanos / (double) count;
  }

  private static void roundTrips(Mcache there, Mcache back, long from, long to) {
    Lines out = there.lines();
    Lines in = back.lines();
    for (long seq = from; seq != to; seq++) {
      out.publish(seq, seq, 1, 64, Frag.WHOLE, 0, 0);
      await(in, seq);
    }
  }

  private static void echoAll(Mcache there, Mcache back, long from, long to) {
    for (long seq = from; seq != to; ) {
      long part = Math.min(1000, to - seq);
      echo(there, back, seq, seq + part);
      seq += part;
    }
  }

  private static void echo(Mcache there, Mcache back, long from, long to) {
    Lines in = there.lines();
    Lines out = back.lines();
    for (long seq = from; seq != to; seq++) {
      await(in, seq);
      out.publish(seq, seq, 1, 64, Frag.WHOLE, 0, 0);
    }
  }

  private static void await(Lines lines, long seq) {
    long ahead = -1;
    while (ahead < 0) {
      ahead = lines.read(seq, new Frag());
    }
    require(ahead == 0, seq);
  }
}
