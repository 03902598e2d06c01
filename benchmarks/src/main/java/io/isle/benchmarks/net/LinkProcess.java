package io.isle.benchmarks.net;

import io.isle.lib.tango.Fctl;
import io.isle.lib.tango.Frag;
import io.isle.lib.tango.Fseq;
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

  private final int depth;
  private final Mcache there;
  private final Mcache back;
  private final Mcache oneWay;
  private final Fseq fseq;
  private final Fctl credits;
  private final Frag frag = new Frag();
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
    long seq = from;
    while (seq != end) {
      long count = Math.min(credits.update(seq), end - seq);
      if (count == 0) {
        Thread.onSpinWait();
      }
      credits.spend(count);
      for (long to = seq + count; seq != to; seq++) {
        link.publish(seq, seq, 1, 64, Frag.WHOLE, 0, 0);
      }
    }
    return seq;
  }

  private static void consume(Mcache link, Fseq fseq, long from, long end) {
    for (long seq = from; seq != end; ) {
      seq = consumePart(link, fseq, seq, end);
    }
  }

  /** A part of a long loop, so that it is compiled as a method of its own. */
  private static long consumePart(Mcache link, Fseq fseq, long from, long end) {
    Frag got = new Frag();
    long seq = from;
    long told = from;
    for (int i = 0; i < 1_000_000 && seq != end; i++) {
      long ahead = link.read(seq, got);
      if (ahead > 0 || ahead == 0 && got.sig() != seq) {
        throw new IllegalStateException("fragment " + seq + " is lost");
      }
      if (ahead == 0) {
        seq++;
      }
      if (seq - told >= CREDIT || ahead < 0 && seq != told) {
        told = seq;
        fseq.seq(seq);
      } else if (ahead < 0) {
        Thread.onSpinWait();
      }
    }
    fseq.seq(seq);
    return seq;
  }

  private double rtt(int count) {
    long from = trips;
    trips += count;
    long nanos =
        Asked.timed(
            () -> echoAll(there, back, from, from + count),
            () -> roundTrips(there, back, frag, from, from + count));
    return nanos / (double) count;
  }

  private static void roundTrips(Mcache there, Mcache back, Frag frag, long from, long to) {
    for (long seq = from; seq != to; seq++) {
      there.publish(seq, seq, 1, 64, Frag.WHOLE, 0, 0);
      await(back, seq, frag);
    }
  }

  private static void echoAll(Mcache there, Mcache back, long from, long to) {
    Frag got = new Frag();
    for (long seq = from; seq != to; ) {
      long part = Math.min(1000, to - seq);
      echo(there, back, got, seq, seq + part);
      seq += part;
    }
  }

  private static void echo(Mcache there, Mcache back, Frag got, long from, long to) {
    for (long seq = from; seq != to; seq++) {
      await(there, seq, got);
      back.publish(seq, seq, 1, 64, Frag.WHOLE, 0, 0);
    }
  }

  private static void await(Mcache link, long seq, Frag got) {
    while (true) {
      long ahead = link.read(seq, got);
      if (ahead == 0) {
        return;
      }
      if (ahead > 0) {
        throw new IllegalStateException("fragment " + seq + " is lost");
      }
    }
  }
}
