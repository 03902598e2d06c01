package io.isle.tck;

import io.isle.lib.kabi.CommandOp;
import io.isle.tck.World.Sent;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicReference;

/** Mutants of the cases about progress; they break the accelerator in software. */
final class ResumeMutants {
  private static final String SUBMIT = "AccelDevice.submit";

  private ResumeMutants() {}

  static void add(Mutants to) {
    to.add("resume/same-results", () -> again(ResumeMutants::spoil));
    to.add("resume/goes-on", () -> again(ResumeMutants::forget));
    to.on(
        "resume/other-work-waits",
        SUBMIT,
        (what, args, real, world) -> {
          Sent sent = Sent.of(args);
          if (sent.code() == CommandOp.FILL) {
            forget(sent, world);
          }
          return real.call(args);
        });
    to.on(
        "resume/reset-drops-progress",
        "AccelDevice.resetContext",
        (what, args, real, world) -> null);
  }

  private interface Deed {
    void on(Sent sent, World world);
  }

  /** Does it before the same envelope is submitted again. */
  private static Hook again(Deed deed) {
    AtomicReference<Sent> last = new AtomicReference<>();
    return (what, args, real, world) -> {
      if (what.equals(SUBMIT)) {
        Sent sent = Sent.of(args);
        Sent before = last.getAndSet(sent);
        if (before != null && before.bytes().mismatch(sent.bytes()) < 0) {
          deed.on(sent, world);
        }
      }
      return real.call(args);
    };
  }

  private static void forget(Sent sent, World world) {
    world.device.resetContext(sent.context());
  }

  /** What was done is not what it was. */
  private static void spoil(Sent sent, World world) {
    for (long id : sent.objects()) {
      World.Piece piece = world.memory.get(id);
      if (piece != null && piece.size() >= 1 << 20) {
        MemorySegment cpu = piece.cpu();
        cpu.set(ValueLayout.JAVA_BYTE, 0, (byte) (cpu.get(ValueLayout.JAVA_BYTE, 0) ^ 1));
      }
    }
  }
}
