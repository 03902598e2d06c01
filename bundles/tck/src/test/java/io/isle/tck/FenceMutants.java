package io.isle.tck;

import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.FenceProtocolSupport;
import io.isle.lib.kabi.CommandEnvelope;
import io.isle.lib.kabi.CommandEnvelope.Wait;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/** Drivers that take waits wrongly. */
final class FenceMutants {
  private static final String COMPLETE = "CompletionSink.complete";
  private static final String SIGNALLED = "Fences.signalled";
  private static final String CANCEL = "Fences.cancel";
  private static final String SUPPORT = "Fences.support";

  private FenceMutants() {}

  static void add(Mutants to) {
    to.add("fences/support-is-constant", FenceMutants::changing);
    to.add("fences/waits-for-its-value", () -> takenFor(4, 5));
    to.add("fences/a-later-value-will-do", FenceMutants::onlyItsOwn);
    to.add("fences/waits-for-all", FenceMutants::any);
    to.add("fences/zero-is-no-wait", () -> failing(sent -> value(sent) == 0));
    to.add("fences/values-wrap", () -> takenFor(15, 1));
    to.add("fences/what-is-cancelled-never-begins", FenceMutants::cancelledSucceeds);
  }

  private static boolean waits(World.Sent sent) {
    return sent.waits() > 0;
  }

  /** Of the first wait. */
  private static long value(World.Sent sent) {
    return sent.wide(CommandEnvelope.HEADER_BYTES + Wait.POINT);
  }

  private static Hook changing() {
    AtomicBoolean asked = new AtomicBoolean();
    return (what, args, real, world) ->
        what.equals(SUPPORT) && asked.getAndSet(true)
            ? FenceProtocolSupport.BY_CORE
            : real.call(args);
  }

  /** One value of a timeline counts as another. */
  private static Hook takenFor(long value, long other) {
    return (what, args, real, world) ->
        what.equals(SIGNALLED) && (long) args[1] == value
            ? real.call(args[0], other)
            : real.call(args);
  }

  /** Work that waits ends with an error where {@code kind} holds. */
  private static Hook failing(Predicate<World.Sent> kind) {
    return (what, args, real, world) -> {
      Object[] changed = args.clone();
      if (what.equals(COMPLETE)) {
        World.Sent sent = world.sent.get((Long) args[0]);
        if (waits(sent) && kind.test(sent)) {
          changed[1] = CompletionSink.ERROR;
        }
      }
      return real.call(changed);
    };
  }

  private static Hook onlyItsOwn() {
    AtomicLong last = new AtomicLong();
    Hook late = failing(sent -> last.get() == 6);
    return (what, args, real, world) -> {
      if (what.equals(SIGNALLED)) {
        last.set((Long) args[1]);
      }
      return late.on(what, args, real, world);
    };
  }

  /** The end of one wait is that of all. */
  private static Hook any() {
    return (what, args, real, world) -> {
      if (what.equals(SIGNALLED) && (long) args[1] == 3) {
        var ignored = real.call((long) args[0] + 1, 3L);
      }
      return real.call(args);
    };
  }

  private static Hook cancelledSucceeds() {
    AtomicBoolean cancelled = new AtomicBoolean();
    return (what, args, real, world) -> {
      Object[] changed = args.clone();
      if (what.equals(CANCEL)) {
        cancelled.set(true);
      }
      if (what.equals(COMPLETE) && cancelled.get()) {
        changed[1] = CompletionSink.SUCCESS;
      }
      return real.call(changed);
    };
  }
}
