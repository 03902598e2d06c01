package io.isle.tck;

import io.isle.api.base.Errno;
import io.isle.api.driver.CompletionSink;
import io.isle.lib.kabi.CommandOp;
import io.isle.tck.World.Sent;
import java.util.concurrent.atomic.AtomicInteger;

/** Mutants of {@link CompletionCases}. */
final class CompletionMutants {
  private static final String COMPLETE = "CompletionSink.complete";
  private static final String SUBMIT = "AccelDevice.submit";

  private CompletionMutants() {}

  static void add(Mutants to) {
    to.add("completion/exactly-once", CompletionMutants::doubled);
    to.on(
        "completion/times",
        COMPLETE,
        (what, args, real, world) ->
            real.call(args[0], args[1], (long) args[3] + 1, args[3], args[4], args[5]));
    to.arguments("completion/started", "DriverServices.started", (args, world) -> args[1] = 1L);
    to.on(
        "completion/means-done",
        SUBMIT,
        (what, args, real, world) -> {
          Sent sent = world.sent.get((Long) args[1]);
          boolean two = sent.code() == CommandOp.FILL && sent.hasGoodCounts() && sent.ops() == 2;
          return two && sent.length() > 128 ? world.succeed((Long) args[1]) : real.call(args);
        });
    to.on("completion/none-when-refused", SUBMIT, CompletionMutants::refusedButTold);
    to.on("completion/bytes-are-free-again", SUBMIT, CompletionMutants::later);
    to.<Integer>result(
        "completion/full-queue-is-eagain",
        SUBMIT,
        code -> code == -Errno.EAGAIN ? -Errno.EIO : code);
  }

  private static Hook doubled() {
    AtomicInteger told = new AtomicInteger();
    return (what, args, real, world) -> {
      if (what.equals(COMPLETE) && told.incrementAndGet() % 50 == 0) {
        real.call(args);
      }
      return real.call(args);
    };
  }

  private static Object refusedButTold(String what, Object[] args, Hook.Real real, World world)
      throws Throwable {
    int code = (int) real.call(args);
    if (code < 0) {
      int ignored = world.end((Long) args[1], CompletionSink.ERROR);
    }
    return code;
  }

  /** The envelope is read after its completion was told. */
  private static Object later(String what, Object[] args, Hook.Real real, World world) {
    Sent sent = world.sent.get((Long) args[1]);
    if (sent.isOneFill() && sent.wide(sent.op(CommandOp.Fill.COUNT)) == 4096) {
      return world.succeed((Long) args[1]);
    }
    try {
      return real.call(args);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
