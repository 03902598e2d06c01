package io.isle.tck;

import static io.isle.tck.Envelope.READ;
import static io.isle.tck.Envelope.WRITE;

import io.isle.api.base.Errno;
import io.isle.api.driver.ArgumentKind;
import io.isle.api.driver.Kernel;
import io.isle.api.driver.Kernels;
import io.isle.api.driver.ProgramEntry;
import io.isle.api.driver.Programs;
import io.isle.lib.kabi.CommandOp;
import io.isle.lib.kabi.CommandOp.Arg;
import io.isle.lib.kabi.CommandOp.Launch;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;

/** What a driver says of kernels, and which launches it refuses. */
final class KernelCases {
  private static final int ITEMS = 12;
  private static final int GROUP = 4;
  private static final long SIZE = (long) ITEMS * LaunchCases.WORD;

  private KernelCases() {}

  static List<Case> all() {
    return List.of(
        new Case("launch/descriptions", LaunchCases.COMPILER, KernelCases::descriptions),
        new Case("launch/unknown-program", LaunchCases.COMPILER, KernelCases::unknown),
        new Case("launch/refused-ranges", LaunchCases.COMPILER, KernelCases::ranges),
        new Case("launch/refused-arguments", LaunchCases.COMPILER, KernelCases::arguments));
  }

  private static void descriptions(Rig rig) {
    String source =
        KernelSources.SUM
            + KernelSources.JOIN
            + KernelSources.TURN
            + KernelSources.IDS
            + SourceCases.FILL;
    Kernels extension = LaunchCases.kernels(rig);
    Check.needs(rig.programs().kinds().contains(Programs.Kind.OPENCL_C), "no OpenCL C");
    long program = rig.newProgramId();
    List<ProgramEntry> entries =
        rig.programs()
            .load(
                rig.context(),
                program,
                Programs.Kind.OPENCL_C,
                source.getBytes(StandardCharsets.UTF_8));
    List<Kernel> kernels = extension.kernels(program);
    Check.equal(5, kernels.size(), "the number of kernels");
    for (int i = 0; i < kernels.size(); i++) {
      Check.equal(i, kernels.get(i).entry(), "the number of kernel " + i);
      Check.equal("", kernels.get(i).unusable(), "why kernel " + i + " cannot be used");
    }
    Check.equal(2, entries.size(), "the number of kernels that a dispatch can run");
    Check.equal(
        entries.stream().map(ProgramEntry::name).toList(),
        kernels.stream().limit(2).map(Kernel::name).toList(),
        "the kernels that come first");
    has(kernels, "fill", false, ArgumentKind.BUFFER, ArgumentKind.U32);
    has(kernels, "ids", true, ArgumentKind.BUFFER);
    has(kernels, "turn", true, ArgumentKind.BUFFER, ArgumentKind.BUFFER, ArgumentKind.LOCAL);
    Kernel join =
        has(kernels, "join", false, ArgumentKind.BUFFER, ArgumentKind.BYTES, ArgumentKind.BYTES);
    Check.equal(16, join.arguments().get(1).bytes(), "the bytes of a float4");
    Check.equal(8, join.arguments().get(2).bytes(), "the bytes of the structure");
    Check.equal(21, named(kernels, "sum").arguments().size(), "the number of arguments of sum");
    Check.equal(kernels, extension.kernels(program), "the kernels at a second call");
  }

  private static Kernel named(List<Kernel> kernels, String name) {
    return kernels.stream()
        .filter(kernel -> kernel.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new Check.Broken("kernel " + name + " is not described"));
  }

  private static Kernel has(
      List<Kernel> kernels, String name, boolean needs, ArgumentKind... kinds) {
    Kernel kernel = named(kernels, name);
    Check.equal(
        List.of(kinds),
        kernel.arguments().stream().flatMap(argument -> argument.kind().stream()).toList(),
        "the kinds of the arguments of " + name);
    Check.equal(
        needs,
        !kernel.needsGroupSize().isEmpty(),
        "that " + name + " depends on a work-group size");
    return kernel;
  }

  private static void unknown(Rig rig) {
    Kernels kernels = LaunchCases.kernels(rig);
    Check.refused(
        "a description of an unknown program",
        () -> kernels.kernels(rig.newProgramId()),
        Errno.ENOENT);
  }

  /** A good launch of the kernel turn, spoiled in several ways, one at a time. */
  private static final class Spoiled {
    private final Rig rig;
    private final LaunchCases.Loaded loaded;
    private final Rig.Memory from;
    private final Rig.Memory to;

    Spoiled(Rig rig) {
      this.rig = rig;
      loaded = LaunchCases.load(rig, KernelSources.TURN);
      from = rig.memory(loaded.context(), SIZE);
      to = rig.memory(loaded.context(), SIZE);
      from.cpu().fill((byte) 1);
      rig.success(loaded.context(), good(), "the good launch");
      to.cpu().fill((byte) 0);
    }

    private Envelope good() {
      return with(
          Envelope.Argument.buffer(1),
          Envelope.Argument.buffer(2),
          Envelope.Argument.local((long) GROUP * LaunchCases.WORD));
    }

    Envelope with(Envelope.Argument... arguments) {
      return loaded
          .envelope()
          .memory(from.id(), 0, SIZE, READ)
          .memory(to.id(), 0, SIZE, READ | WRITE)
          .launch(0, loaded.kernel("turn").entry(), new long[] {ITEMS}, arguments)
          .opWord(Launch.LOCAL, GROUP);
    }

    void by(String what, Consumer<Envelope> change) {
      Envelope envelope = good();
      change.accept(envelope);
      fails(what, envelope);
    }

    void fails(String what, Envelope envelope) {
      rig.fails(loaded.context(), envelope, "a launch with " + what);
      Check.equal(
          -1L,
          to.cpu().asSlice(0, SIZE).mismatch(MemorySegment.ofArray(new byte[(int) SIZE])),
          "a launch with " + what + ": the first byte that was written");
    }
  }

  private static void ranges(Rig rig) {
    Spoiled spoiled = new Spoiled(rig);
    spoiled.by("no dimensions", e -> e.opWord(Launch.DIMENSIONS, 0));
    spoiled.by("4 dimensions", e -> e.opWord(Launch.DIMENSIONS, 4));
    spoiled.by("size 0", e -> e.opLong(Launch.SIZE, 0));
    spoiled.by("a size in an unused dimension", e -> e.opLong(Launch.SIZE + 8, 2));
    spoiled.by("size 0 in an unused dimension", e -> e.opLong(Launch.SIZE + 16, 0));
    spoiled.by("an offset in an unused dimension", e -> e.opLong(Launch.OFFSET + 8, 1));
    spoiled.by("offset + size beyond 2^64", e -> e.opLong(Launch.OFFSET, -1));
    spoiled.by("a local size that does not divide the size", e -> e.opWord(Launch.LOCAL, 5));
    spoiled.by("a local size in an unused dimension", e -> e.opWord(Launch.LOCAL + 4, 1));
    spoiled.by("a local size above the size", e -> e.opWord(Launch.LOCAL, 2 * ITEMS));
    spoiled.by("2^31 work items in a work-group", e -> e.opWord(Launch.LOCAL, 1 << 31));
    spoiled.by("a word that is not 0 behind the tail's length", e -> e.opWord(28, 1));
    spoiled.by("entry 99", e -> e.opWord(Launch.ENTRY, 99));
    spoiled.by("memory in place of a program", e -> e.opWord(Launch.PROGRAM, 1));
    spoiled.by("binding 99 as program", e -> e.opWord(Launch.PROGRAM, 99));
    spoiled.by("the code of a dispatch", e -> e.opWord(CommandOp.CODE, CommandOp.DISPATCH));
    requiredSize(rig);
  }

  private static void requiredSize(Rig rig) {
    LaunchCases.Loaded loaded = LaunchCases.load(rig, KernelSources.REQUIRED);
    Rig.Memory to = rig.memory(loaded.context(), 8L * 4 * 6 * LaunchCases.WORD);
    Kernel kernel = loaded.kernel("ids");
    for (int width : new int[] {2, 6}) {
      Envelope envelope =
          loaded
              .envelope()
              .memory(to.id(), 0, to.size(), READ | WRITE)
              .launch(0, kernel.entry(), new long[] {width, 4, 1}, Envelope.Argument.buffer(1));
      if (width == 2) {
        envelope.opWord(Launch.LOCAL, 2).opWord(Launch.LOCAL + 4, 4).opWord(Launch.LOCAL + 8, 1);
      }
      rig.fails(
          loaded.context(),
          envelope,
          width == 2
              ? "a launch with another size than the kernel requires"
              : "a launch whose size the required size does not divide");
    }
  }

  private static void arguments(Rig rig) {
    Spoiled spoiled = new Spoiled(rig);
    long third = Launch.ARGS + 2L * Arg.BYTES;
    spoiled.by("2 arguments for 3", e -> e.opWord(Launch.ARG_COUNT, 2));
    spoiled.by("2^32-1 arguments", e -> e.opWord(Launch.ARG_COUNT, -1));
    spoiled.by("a number for a buffer", e -> e.opWord(Launch.ARGS + Arg.KIND, Arg.U32));
    spoiled.by("binding 99 as buffer", e -> e.opWord(Launch.ARGS + Arg.BINDING, 99));
    spoiled.by("the program as buffer", e -> e.opWord(Launch.ARGS + Arg.BINDING, 0));
    spoiled.by(
        "a buffer for reading where the kernel writes",
        e -> e.opWord(Launch.ARGS + Arg.BYTES + Arg.BINDING, 1));
    spoiled.by("no bytes of local memory", e -> e.opLong(third + Arg.VALUE, 0));
    spoiled.by("2^40 bytes of local memory", e -> e.opLong(third + Arg.VALUE, 1L << 40));
    spoiled.by("a kind of argument that there is not", e -> e.opWord(third + Arg.KIND, 10));
    spoiled.by("a tail beyond the operation", e -> e.opWord(Launch.TAIL_BYTES, 8));
    spoiled.by("a tail of 1032 bytes", e -> e.opWord(Launch.TAIL_BYTES, 1032));
    Envelope.Argument buffer = Envelope.Argument.buffer(1);
    spoiled.fails(
        "bytes for local memory",
        spoiled.with(buffer, Envelope.Argument.buffer(2), Envelope.Argument.bytes(new byte[16])));
    spoiled.fails(
        "bytes for a buffer",
        spoiled.with(buffer, Envelope.Argument.bytes(new byte[8]), Envelope.Argument.local(16)));
    bytes(rig);
  }

  private static void bytes(Rig rig) {
    LaunchCases.Loaded loaded = LaunchCases.load(rig, KernelSources.JOIN);
    Rig.Memory to = rig.memory(loaded.context(), 24);
    for (int length : new int[] {12, 15, 17, 32}) {
      rig.fails(
          loaded.context(),
          join(loaded, to, length, 8),
          "a launch with " + length + " bytes for a float4");
    }
    rig.fails(loaded.context(), join(loaded, to, 16, 4), "a launch with half a structure");
    rig.fails(
        loaded.context(),
        join(loaded, to, 16, 8).opWord(Launch.ARGS + 2L * Arg.BYTES + Arg.BINDING, 17),
        "a launch with bytes beyond the tail");
    rig.success(loaded.context(), join(loaded, to, 16, 8), "the good launch");
  }

  private static Envelope join(LaunchCases.Loaded loaded, Rig.Memory to, int vector, int pair) {
    return loaded
        .envelope()
        .memory(to.id(), 0, 24, READ | WRITE)
        .launch(
            0,
            loaded.kernel("join").entry(),
            new long[] {1},
            Envelope.Argument.buffer(1),
            Envelope.Argument.bytes(new byte[vector]),
            Envelope.Argument.bytes(new byte[pair]));
  }
}
