package io.isle.tck;

import io.isle.api.base.Errno;
import io.isle.lib.kabi.CommandEnvelope;
import io.isle.lib.kabi.CommandEnvelope.Binding;
import io.isle.lib.kabi.CommandOp;
import io.isle.tck.World.Sent;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/** Mutants of {@link EnvelopeCases}: each forgives one kind of mistake. */
final class EnvelopeMutants {
  private EnvelopeMutants() {}

  static void add(Mutants to) {
    to.forgive("envelope/header", (sent, world) -> sent.isPlaced() && !sent.hasGoodHeader());
    to.forgive("envelope/counts", (sent, world) -> hasBadCounts(sent));
    to.forgive(
        "envelope/op-frames",
        (sent, world) ->
            sent.isOneFill()
                && sent.code() == CommandOp.FILL
                && sent.word(sent.op(CommandOp.LENGTH)) != CommandOp.Fill.BYTES);
    to.forgive(
        "envelope/op-code-and-flags",
        (sent, world) -> sent.isOneFill() && sent.word(sent.op(0)) != CommandOp.FILL);
    to.forgive("envelope/binding-ranges", (sent, world) -> hasBadBinding(sent));
    to.forgive("envelope/op-ranges", (sent, world) -> hasBadRange(sent));
    to.forgive(
        "envelope/access",
        (sent, world) ->
            sent.isOneFill() && sent.word(sent.binding(0, Binding.ACCESS)) == Binding.READ);
    to.forgive("envelope/too-long", (sent, world) -> sent.length() > 65_536);
    to.forgive("envelope/place-in-segment", (sent, world) -> !sent.isPlaced());
    to.on(
        "envelope/empty",
        "AccelDevice.submit",
        (what, args, real, world) ->
            (int) args[4] == CommandEnvelope.HEADER_BYTES ? -Errno.EINVAL : real.call(args));
    to.arguments(
        "envelope/empty-ranges", "AccelDevice.submit", (args, world) -> fillNoneAsFour(args));
    to.on(
        "envelope/many-bindings",
        "AccelDevice.submit",
        (what, args, real, world) ->
            Sent.of(args).bindings() > 16 ? -Errno.EINVAL : real.call(args));
  }

  private static void fillNoneAsFour(Object[] args) {
    Sent sent = Sent.of(args);
    long count = sent.op(CommandOp.Fill.COUNT);
    if (sent.isOneFill() && sent.code() == CommandOp.FILL && sent.wide(count) == 0) {
      ((MemorySegment) args[2]).set(CommandEnvelope.U64, sent.offset() + count, 4L);
    }
  }

  private static boolean hasBadCounts(Sent sent) {
    return sent.hasGoodHeader()
        && (!sent.hasGoodCounts() || sent.ops() == 2 && sent.length() == 128);
  }

  private static boolean hasBadBinding(Sent sent) {
    return sent.isOneFill()
        && (Set.of(0L, -1L).contains(sent.wide(sent.binding(0, Binding.OBJECT)))
            || sent.wide(sent.binding(0, Binding.LENGTH)) == 1L << 40
            || Set.of(1L << 40, -8L).contains(sent.wide(sent.binding(0, Binding.OFFSET)))
            || Set.of(0, 34).contains(sent.word(sent.binding(0, Binding.ACCESS))));
  }

  private static boolean hasBadRange(Sent sent) {
    return sent.isOneFill()
        && sent.word(sent.op(0)) == CommandOp.FILL
        && sent.word(sent.op(CommandOp.LENGTH)) == CommandOp.Fill.BYTES
        && (sent.word(sent.op(CommandOp.Fill.DST)) != 0
            || Set.of(2049L, -1L).contains(sent.wide(sent.op(CommandOp.Fill.COUNT)))
            || Set.of(4096L, -8L).contains(sent.wide(sent.op(CommandOp.Fill.OFFSET))));
  }
}
