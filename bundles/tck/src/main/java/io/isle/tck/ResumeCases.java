package io.isle.tck;

import io.isle.api.base.Errno;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.DeviceInfo.Preemption;
import io.isle.api.driver.PreemptReason;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.security.MessageDigest;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Drivers that keep how far preempted work is, and go on with it; others may do without. */
final class ResumeCases {
  private static final int READ = Envelope.READ;
  private static final int WRITE = Envelope.WRITE;

  private static final int[] REASONS = {
    PreemptReason.PRIORITY_INVERSION, PreemptReason.FAIRNESS_TIMEOUT, PreemptReason.ADMIN_EVICT
  };

  private static final int SIZE = 2 << 20;
  private static final int BLOCK = 300_000;
  private static final int ROUNDS = 8;

  /** Of busy work, all of it; it is preempted after less than half. */
  private static final long ALL_US = 400_000;

  private static final long SOON_US = 20_000;

  private ResumeCases() {}

  static List<Case> all() {
    return List.of(
        Case.of("resume/same-results", ResumeCases::sameResults),
        Case.of("resume/goes-on", ResumeCases::goesOn),
        Case.of("resume/other-work-waits", ResumeCases::otherWork),
        Case.of("resume/reset-drops-progress", ResumeCases::reset));
  }

  private static void needsKept(Ended ended) {
    Check.that(ended.status() == CompletionSink.PREEMPTED, "preempted work is " + ended.text());
    if (ended.detail() == 0) {
      throw new Check.Skipped("the device does not keep preempted work");
    }
    Check.equal(-Errno.ERESTART, ended.detail(), "the detail of work that left in its middle");
  }

  private static void needsPreemption(Rig rig) {
    Preemption granularity = rig.device().info().preemption();
    Check.needs(
        granularity == Preemption.INSTRUCTION || granularity == Preemption.DRAW_DISPATCH,
        "work cannot be taken off the engine");
  }

  /** Submits again until it ends, each time with a preemption a while after. */
  private static int inStretches(Rig rig, long context, Envelope work, Random random) {
    for (int left = 0; ; ) {
      Rig.Sub sub = rig.submit(context, work);
      LockSupport.parkNanos(random.nextLong(TimeUnit.MILLISECONDS.toNanos(3)));
      int code = rig.device().preempt(context, REASONS[random.nextInt(REASONS.length)]);
      Check.equal(0, code, "the result of preempt");
      Ended ended = rig.await(sub);
      if (ended.status() == CompletionSink.SUCCESS) {
        return left;
      }
      if (ended.detail() != -Errno.EAGAIN) {
        needsKept(ended);
        left++;
      }
    }
  }

  /** Each operation writes what the next one reads, so none may be missing or done by halves. */
  private static void sameResults(Rig rig) throws Exception {
    needsPreemption(rig);
    long context = rig.context();
    Rig.Memory src = rig.memory(context, SIZE);
    Rig.Memory copy = rig.memory(context, SIZE);
    int hashes = (SIZE + BLOCK - 1) / BLOCK;
    Rig.Memory digests = rig.memory(context, 32L * hashes);
    Rig.Memory counts = rig.memory(context, 2048);
    Envelope work =
        new Envelope()
            .program(rig.program(context, "sha256"))
            .program(rig.program(context, "histogram"))
            .memory(src.id(), 0, SIZE, READ)
            .memory(copy.id(), 0, SIZE, READ | WRITE)
            .memory(digests.id(), 0, 32L * hashes, WRITE)
            .memory(counts.id(), 0, 2048, READ | WRITE)
            .copy(3, 0, 2, 0, SIZE)
            .dispatch(
                0,
                Envelope.Argument.buffer(3),
                Envelope.Argument.buffer(4),
                Envelope.Argument.u64(BLOCK))
            .dispatch(1, Envelope.Argument.buffer(3), Envelope.Argument.buffer(5));
    Random random = new Random(1);
    int left = 0;
    for (int round = 0; round < ROUNDS || left == 0 && round < 20 * ROUNDS; round++) {
      byte[] bytes = new byte[SIZE];
      random.nextBytes(bytes);
      src.cpu().copyFrom(MemorySegment.ofArray(bytes));
      copy.cpu().fill((byte) 0);
      left += inStretches(rig, context, work, random);
      checkResults(bytes, digests, counts);
    }
    Check.needs(left > 0, "work of that size does not leave in its middle");
  }

  private static void checkResults(byte[] bytes, Rig.Memory digests, Rig.Memory counts)
      throws Exception {
    MessageDigest sha = MessageDigest.getInstance("SHA-256");
    for (int at = 0, i = 0; at < SIZE; at += BLOCK, i++) {
      sha.update(bytes, at, Math.min(BLOCK, SIZE - at));
      byte[] found = digests.cpu().asSlice(32L * i, 32).toArray(ValueLayout.JAVA_BYTE);
      Check.that(
          MessageDigest.isEqual(sha.digest(), found), "the digest of block " + i + " is wrong");
    }
    long[] wanted = new long[256];
    for (byte value : bytes) {
      wanted[value & 0xff]++;
    }
    for (int i = 0; i < 256; i++) {
      long found = counts.cpu().getAtIndex(ValueLayout.JAVA_LONG, i);
      Check.equal(wanted[i], found, "the count of byte " + i);
    }
  }

  private static Envelope busy(Rig rig, long context) {
    long program = rig.program(context, "busy");
    Envelope work = new Envelope().program(program);
    // a device that stops between operations has some to stop between
    for (int i = 0; i < 10; i++) {
      work.dispatch(0, Envelope.Argument.u64(ALL_US / 10));
    }
    return work;
  }

  /** Has it leave in its middle, well before its end. */
  private static Ended leave(Rig rig, long context, Envelope work) {
    needsPreemption(rig);
    Rig.Sub sub = rig.submit(context, work);
    rig.until(() -> rig.core().started(sub.tag()).isPresent(), "work does not start");
    LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(SOON_US));
    Check.equal(
        0, rig.device().preempt(context, PreemptReason.ADMIN_EVICT), "the result of preempt");
    Ended ended = rig.await(sub);
    needsKept(ended);
    return ended;
  }

  private static long tookUs(Ended ended) {
    return TimeUnit.NANOSECONDS.toMicros(ended.busyNs());
  }

  /** What is done is not done again, and each stretch says what it took. */
  private static void goesOn(Rig rig) {
    long context = rig.context();
    Envelope work = busy(rig, context);
    long first = tookUs(leave(rig, context, work));
    Ended rest = rig.await(rig.submit(context, work));
    Check.that(
        rest.status() == CompletionSink.SUCCESS,
        "the rest of the kept work ends with " + rest.text());
    Check.needs(first > 0 && tookUs(rest) > 0, "the device does not report the busy time of work");
    long all = first + tookUs(rest);
    Check.that(
        tookUs(rest) < ALL_US && all >= ALL_US * 99 / 100 && all < ALL_US * 3 / 2,
        ALL_US + " us of work took " + first + " us and then " + tookUs(rest) + " us");
  }

  /** Work that is not what left cannot come before it. */
  private static void otherWork(Rig rig) {
    long context = rig.context();
    Rig.Memory memory = rig.memory(context, 4096);
    Envelope work = busy(rig, context);
    var ignored = leave(rig, context, work);
    Ended other =
        rig.await(
            rig.submit(
                context, new Envelope().memory(memory.id(), 0, 4096, WRITE).fill(0, 0, 4096, -1)));
    boolean back = other.status() == CompletionSink.PREEMPTED && other.detail() == -Errno.EAGAIN;
    boolean refused = other.status() == CompletionSink.ERROR && other.detail() == -Errno.EINVAL;
    Check.that(back || refused, "work before the kept work ends with " + other.text());
    Check.equal(
        -1L,
        memory.cpu().mismatch(MemorySegment.ofArray(new byte[4096])),
        "the first byte that this work wrote");
    rig.success(context, work, "work that left in its middle, submitted again");
  }

  /** From its beginning: nobody knows what a reset has left of the rest. */
  private static void reset(Rig rig) {
    long context = rig.context();
    Envelope work = busy(rig, context);
    long first = tookUs(leave(rig, context, work));
    rig.device().resetContext(context);
    Ended again = rig.await(rig.submit(context, work));
    Check.that(
        again.status() == CompletionSink.SUCCESS,
        "after a reset, the kept work ends with " + again.text());
    Check.needs(first > 0 && tookUs(again) > 0, "the device does not report the busy time of work");
    Check.that(
        tookUs(again) >= ALL_US * 99 / 100,
        "after a reset, " + ALL_US + " us of work took " + tookUs(again) + " us");
  }
}
