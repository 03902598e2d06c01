package io.isle.tck;

import io.isle.api.base.Errno;
import io.isle.api.driver.AllocArgs;
import io.isle.api.driver.ContextArgs;
import io.isle.api.driver.DriverException;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Mutants of {@link ContextCases}. */
final class ContextMutants {
  private static final String RESET = "AccelDevice.resetContext";

  private ContextMutants() {}

  static void add(Mutants to) {
    to.code("context/limit", "AccelDevice.createContext", args -> true, Errno.ENOSPC, Errno.EAGAIN);
    to.add("context/place-is-free-again", ContextMutants::neverAgain);
    to.swallow("context/unknown-is-refused", RESET, Errno.ENOENT);
    to.forgive(
        "context/submit-to-unknown", (sent, world) -> !world.contexts.contains(sent.context()));
    to.loseDuring("context/destroy-ends-work", "AccelDevice.destroyContext");
    to.on("context/destroy-frees-memory", "AccelDevice.allocate", ContextMutants::leak);
    to.add("context/reset-ends-work", ContextMutants::lateEnds);
    to.add("context/nothing-after-reset", ContextMutants::again);
    to.add("context/usable-after-reset", ContextMutants::dead);
    to.on("context/reset-spares-others", RESET, ContextMutants::resetAll);
    to.on(
        "context/reset-device-ends-all", "AccelDevice.resetDevice", (what, args, real, w) -> null);
  }

  static ContextArgs limits(ContextArgs args, boolean memory, boolean time) {
    return new ContextArgs(
        args.ownerPid(),
        args.priority(),
        memory ? args.maxMemoryBytes() : 0,
        time ? args.maxExecutionUs() : 0,
        0,
        0);
  }

  private static Hook neverAgain() {
    AtomicInteger made = new AtomicInteger();
    return (what, args, real, world) -> {
      if (what.equals("AccelDevice.createContext") && made.incrementAndGet() > 8) {
        throw new DriverException(Errno.ENOSPC, "all were taken once");
      }
      return real.call(args);
    };
  }

  /** Memory of contexts that are gone still counts. */
  private static Object leak(String what, Object[] args, Hook.Real real, World world)
      throws Throwable {
    long gone =
        world.memory.entrySet().stream()
            .filter(piece -> !world.freed.contains(piece.getKey()))
            .filter(piece -> !world.contexts.contains(piece.getValue().context()))
            .mapToLong(piece -> piece.getValue().size())
            .sum();
    if (gone > 0 && gone + ((AllocArgs) args[2]).size() > 16 << 20) {
      throw new DriverException(Errno.ENOMEM, "no memory");
    }
    return real.call(args);
  }

  /** What a reset ends is told at the second poll after it. */
  private static Hook lateEnds() {
    AtomicInteger state = new AtomicInteger();
    Queue<Runnable> held = new ConcurrentLinkedQueue<>();
    return (what, args, real, world) -> {
      if (what.equals("CompletionSink.complete") && state.get() == 1) {
        held.add(
            () -> {
              int ignored = world.end((Long) args[0], (Integer) args[1]);
            });
        return 0;
      }
      if (what.equals("AccelDevice.poll") && state.get() > 1 && state.incrementAndGet() > 3) {
        held.forEach(Runnable::run);
        held.clear();
      }
      if (!what.equals(RESET)) {
        return real.call(args);
      }
      state.set(1);
      try {
        return real.call(args);
      } finally {
        state.set(2);
      }
    };
  }

  /** The first that a reset ended is told again with the next submission. */
  private static Hook again() {
    Queue<Long> ended = new ConcurrentLinkedQueue<>();
    AtomicInteger resets = new AtomicInteger();
    return (what, args, real, world) -> {
      if (what.equals(RESET)) {
        resets.incrementAndGet();
      }
      if (what.equals("CompletionSink.complete") && resets.get() > 0 && (int) args[1] != 0) {
        ended.add((Long) args[0]);
      }
      if (what.equals("AccelDevice.submit") && !ended.isEmpty()) {
        int ignored = world.end(ended.remove(), 1);
      }
      return real.call(args);
    };
  }

  private static Hook dead() {
    Set<Object> reset = new HashSet<>();
    return (what, args, real, world) -> {
      if (what.equals(RESET)) {
        reset.add(args[0]);
      }
      return what.equals("AccelDevice.submit") && reset.contains(args[0])
          ? -Errno.EIO
          : real.call(args);
    };
  }

  private static Object resetAll(String what, Object[] args, Hook.Real real, World world)
      throws Throwable {
    for (long context : new ArrayDeque<>(world.contexts)) {
      if (!args[0].equals(context)) {
        real.call(context);
      }
    }
    return real.call(args);
  }
}
