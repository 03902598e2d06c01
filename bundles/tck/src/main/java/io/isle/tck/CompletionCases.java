package io.isle.tck;

import io.isle.api.base.Errno;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** Submissions and their completions. */
final class CompletionCases {
  /** A driver that tells starts does so within this time. */
  private static final long START_NS = 3_000_000_000L;

  private CompletionCases() {}

  static List<Case> all() {
    return List.of(
        Case.of("completion/exactly-once", CompletionCases::once),
        Case.of("completion/times", CompletionCases::times),
        Case.of("completion/started", CompletionCases::started),
        Case.of("completion/means-done", CompletionCases::meansDone),
        Case.of("completion/none-when-refused", CompletionCases::noneWhenRefused),
        Case.of("completion/bytes-are-free-again", CompletionCases::bytes),
        Case.of("completion/full-queue-is-eagain", CompletionCases::full));
  }

  private static void once(Rig rig) {
    long context = rig.context();
    Envelope noop = rig.noop(context);
    List<Rig.Sub> subs = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      subs.add(rig.submit(context, noop));
    }
    subs.forEach(rig::await);
    rig.settle(rig.context());
    rig.drain();
    for (Rig.Sub sub : subs) {
      Check.equal(1, rig.core().told(sub.tag()).size(), "completions of one submission");
    }
  }

  private static void times(Rig rig) {
    long context = rig.context();
    Envelope busy =
        new Envelope()
            .program(rig.program(context, "busy"))
            .dispatch(0, Envelope.Argument.u64(3_000));
    long before = System.nanoTime();
    Ended ended = rig.await(rig.submit(context, busy));
    long after = System.nanoTime();
    Check.that(ended.startNs() <= ended.endNs(), "the end of the work lies before its beginning");
    Check.that(
        ended.startNs() - before > -1_000_000_000L && ended.endNs() <= after,
        "times are not CLOCK_MONOTONIC nanoseconds: began "
            + (ended.startNs() - before)
            + " ns after submit, ended "
            + (after - ended.endNs())
            + " ns before its completion was seen");
    Check.that(ended.busyNs() >= 0, "busy time is negative");
  }

  /** A start is told while the work runs, if the driver tells any. */
  private static void started(Rig rig) {
    long context = rig.context();
    Envelope busy = rig.busy(context);
    long before = System.nanoTime();
    Rig.Sub sub = rig.submit(context, busy);
    long deadline = before + START_NS;
    while (rig.core().started(sub.tag()).isEmpty() && System.nanoTime() - deadline < 0) {
      rig.drain();
      Thread.onSpinWait();
    }
    Check.needs(rig.core().started(sub.tag()).isPresent(), "the driver reports no starts of work");
    long start = rig.core().started(sub.tag()).getAsLong();
    Check.that(
        start - before >= 0 && start - System.nanoTime() <= 0,
        "work began " + (start - before) + " ns after it was submitted");
    rig.device().resetContext(context);
    var ignored = rig.await(sub);
  }

  private static void meansDone(Rig rig) {
    long context = rig.context();
    long size = 1 << 20;
    Rig.Memory memory = rig.memory(context, size);
    for (int round = 1; round <= 8; round++) {
      Envelope envelope =
          new Envelope()
              .memory(memory.id(), 0, size, Envelope.READ | Envelope.WRITE)
              .fill(0, 0, size / 2, round)
              .copy(0, size / 2, 0, 0, size / 2);
      rig.success(context, envelope, "a fill and a copy");
      int last = memory.cpu().get(ValueLayout.JAVA_INT, size - 4);
      Check.equal(round, last, "the last word after its completion");
    }
  }

  private static void noneWhenRefused(Rig rig) {
    long context = rig.context();
    Rig.Sub sub = rig.submit(context, rig.noop(context).word(0, 0x21212121));
    rig.settle(context);
    rig.drain();
    int most = sub.code() < 0 ? 0 : 1;
    int told = rig.core().told(sub.tag()).size();
    Check.that(told <= most, "a refused submission was completed, too");
  }

  private static void bytes(Rig rig) {
    long context = rig.context();
    Rig.Memory memory = rig.memory(context, 4096);
    for (int i = 1; i <= 50; i++) {
      Envelope fill =
          new Envelope().memory(memory.id(), 0, 4096, Envelope.WRITE).fill(0, 0, 4096, i);
      rig.success(context, fill, "a fill");
      rig.commands().asSlice(0, Rig.TAGS * 1024L).fill((byte) 0x77);
      Check.equal(
          i, memory.cpu().get(ValueLayout.JAVA_INT, 0), "a word whose envelope was overwritten");
    }
  }

  private static void full(Rig rig) {
    long context = rig.context();
    List<Rig.Sub> subs = new ArrayList<>();
    Envelope busy = rig.busy(context);
    for (int i = 0; i < Rig.TAGS; i++) {
      subs.add(rig.submit(context, busy));
    }
    rig.device().resetContext(context);
    for (Rig.Sub sub : subs) {
      Check.that(
          sub.code() == 0 || sub.code() == -Errno.EAGAIN,
          "a full queue answers " + Errno.name(sub.code()));
      if (sub.code() == 0) {
        rig.await(sub);
      }
    }
  }
}
