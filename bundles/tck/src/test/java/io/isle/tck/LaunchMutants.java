package io.isle.tck;

import io.isle.api.base.Errno;
import io.isle.api.driver.Kernel;
import io.isle.lib.kabi.CommandEnvelope;
import io.isle.lib.kabi.CommandEnvelope.Binding;
import io.isle.lib.kabi.CommandOp;
import io.isle.lib.kabi.CommandOp.Arg;
import io.isle.lib.kabi.CommandOp.Launch;
import io.isle.tck.World.Sent;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.function.BiConsumer;

/** Mutants of {@link LaunchCases}, {@link KernelCases} and {@link CopyCases}. */
final class LaunchMutants {
  private static final String KERNELS = "Kernels.kernels";

  private LaunchMutants() {}

  static void add(Mutants to) {
    to.<List<Kernel>>result("launch/descriptions", KERNELS, LaunchMutants::withoutNeeds);
    to.code("launch/unknown-program", KERNELS, args -> true, Errno.ENOENT, Errno.EIO);
    change(to, "launch/size-and-offset", LaunchMutants::otherOffset);
    change(to, "launch/local-size", LaunchMutants::smallerGroup);
    spoil(to, "launch/required-size", 1, 12, KernelSources.REQUIRED);
    spoil(to, "launch/local-memory", 2, 8, KernelSources.TURN);
    change(to, "launch/bytes", LaunchMutants::otherTail);
    spoil(to, "launch/many-arguments", 1, 1, KernelSources.SUM);
    to.forgive(
        "launch/refused-ranges",
        (sent, world) -> sent.code() == CommandOp.LAUNCH && sent.word(sent.op(Launch.LOCAL)) == 5);
    to.forgive(
        "launch/refused-arguments",
        (sent, world) ->
            sent.code() == CommandOp.LAUNCH
                && sent.wide(sent.op(Launch.ARGS + 2L * Arg.BYTES + Arg.VALUE)) == 1L << 40);
    copyBits(to, "launch/no-copies", Binding.READ | Binding.NO_COPY_IN, Binding.READ);
    copyBits(to, "launch/copies", Binding.READ, Binding.READ | Binding.NO_COPY_IN);
  }

  private static List<Kernel> withoutNeeds(List<Kernel> real) {
    return real.stream()
        .map(
            kernel ->
                new Kernel(
                    kernel.name(),
                    kernel.entry(),
                    kernel.groupSize(),
                    kernel.maxGroup(),
                    kernel.localBytes(),
                    kernel.privateBytes(),
                    "",
                    kernel.unusable(),
                    kernel.arguments()))
        .toList();
  }

  private static void otherOffset(Sent sent, MemorySegment bytes) {
    if (sent.word(sent.op(Launch.DIMENSIONS)) == 3) {
      bytes.set(CommandEnvelope.U64, sent.op(Launch.OFFSET + 8), 0L);
    }
  }

  /** Another range, so that nobody but the case that looks for it finds out. */
  private static void smallerGroup(Sent sent, MemorySegment bytes) {
    long at = sent.op(Launch.LOCAL);
    if (sent.word(at) == 4 && sent.word(at + 4) == 3) {
      bytes.set(CommandEnvelope.U32, at, 2);
    }
  }

  /** The second byte of a vector whose launch has both values whole. */
  private static void otherTail(Sent sent, MemorySegment bytes) {
    long tail = sent.op(Launch.ARGS + 3L * Arg.BYTES);
    if (sent.word(sent.op(Launch.ARG_COUNT)) == 3 && sent.word(sent.op(Launch.TAIL_BYTES)) == 24) {
      bytes.set(ValueLayout.JAVA_BYTE, tail + 1, (byte) 77);
    }
  }

  private static void spoil(Mutants to, String name, int binding, long at, String source) {
    to.spoil(
        name,
        binding,
        at,
        (sent, world) ->
            sent.code() == CommandOp.LAUNCH
                && sent.word(sent.op(Launch.LOCAL)) != 4
                && Mutants.programs(sent, world).contains(source));
  }

  /** The device gets other launches. */
  private static void change(Mutants to, String name, BiConsumer<Sent, MemorySegment> change) {
    to.arguments(
        name,
        "AccelDevice.submit",
        (args, world) -> {
          Sent sent = Sent.of(args);
          if (sent.code() == CommandOp.LAUNCH) {
            MemorySegment commands = (MemorySegment) args[2];
            change.accept(sent, commands.asSlice(sent.offset(), sent.length()));
          }
        });
  }

  /** The device gets other bits for the second of two bindings as the cases have them. */
  private static void copyBits(Mutants to, String name, int from, int bits) {
    to.arguments(
        name,
        "AccelDevice.submit",
        (args, world) -> {
          Sent sent = Sent.of(args);
          if (sent.bindings() == 2
              && sent.hasGoodCounts()
              && sent.wide(sent.binding(1, Binding.LENGTH)) == CopyCases.SIZE
              && sent.word(sent.binding(1, Binding.ACCESS)) == from) {
            MemorySegment commands = (MemorySegment) args[2];
            commands.set(
                CommandEnvelope.U32, sent.offset() + sent.binding(1, Binding.ACCESS), bits);
          }
        });
  }
}
