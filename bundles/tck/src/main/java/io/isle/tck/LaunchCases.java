package io.isle.tck;

import static io.isle.tck.Envelope.READ;
import static io.isle.tck.Envelope.WRITE;

import io.isle.api.driver.Kernel;
import io.isle.api.driver.Kernels;
import io.isle.api.driver.Programs;
import io.isle.lib.kabi.CommandOp.Launch;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What kernels get of a launch. */
final class LaunchCases {
  /** A driver's own switch for a compiler that it offers to tests only. */
  static final Map<String, String> COMPILER = Map.of("compiler", "true");

  static final int WORD = 4;
  private static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);

  private LaunchCases() {}

  static List<Case> all() {
    return Stream.of(
            List.of(
                new Case("launch/size-and-offset", COMPILER, LaunchCases::offset),
                new Case("launch/local-size", COMPILER, LaunchCases::local),
                new Case("launch/required-size", COMPILER, LaunchCases::required),
                new Case("launch/local-memory", COMPILER, LaunchCases::localMemory),
                new Case("launch/bytes", COMPILER, LaunchCases::bytes),
                new Case("launch/many-arguments", COMPILER, LaunchCases::many)),
            KernelCases.all(),
            CopyCases.all())
        .flatMap(List::stream)
        .toList();
  }

  /** A loaded program, and its kernels. */
  record Loaded(long context, long program, List<Kernel> kernels) {
    Kernel kernel(String name) {
      return kernels.stream()
          .filter(kernel -> kernel.name().equals(name))
          .findFirst()
          .orElseThrow(() -> new Check.Broken("kernel " + name + " is not described"));
    }

    /** An envelope whose binding 0 is the program. */
    Envelope envelope() {
      return new Envelope().program(program);
    }
  }

  static Kernels kernels(Rig rig) {
    return rig.device()
        .extension(Kernels.class)
        .orElseThrow(() -> new Check.Skipped("no descriptions of kernels"));
  }

  static Loaded load(Rig rig, String source) {
    Kernels kernels = kernels(rig);
    Check.needs(rig.programs().kinds().contains(Programs.Kind.OPENCL_C), "no OpenCL C");
    long context = rig.context();
    long program = rig.newProgramId();
    byte[] text = source.getBytes(StandardCharsets.UTF_8);
    var ignored = rig.programs().load(context, program, Programs.Kind.OPENCL_C, text);
    return new Loaded(context, program, kernels.kernels(program));
  }

  /** A launch of the kernel ids, which writes to binding 1. */
  private static Envelope ids(Loaded loaded, Rig.Memory to, long... size) {
    return loaded
        .envelope()
        .memory(to.id(), 0, to.size(), READ | WRITE)
        .launch(0, loaded.kernel("ids").entry(), size, Envelope.Argument.buffer(1));
  }

  private static Rig.Memory room(Rig rig, Loaded loaded, long[] size) {
    return rig.memory(loaded.context(), 6L * WORD * size[0] * size[1] * size[2]);
  }

  /** The ids of all work items are those of the range; local ids if there is a work-group size. */
  private static void check(Rig.Memory to, long[] size, long[] offset, long[] group) {
    long[] at = new long[3];
    long i = 0;
    for (at[2] = 0; at[2] < size[2]; at[2]++) {
      for (at[1] = 0; at[1] < size[1]; at[1]++) {
        for (at[0] = 0; at[0] < size[0]; at[0]++, i++) {
          for (int d = 0; d < 3; d++) {
            String where = " of work item " + i + " in dimension " + d;
            long global = to.cpu().get(U32, (6 * i + d) * WORD);
            Check.equal(offset[d] + at[d], global, "the global id" + where);
            if (group.length > 0) {
              long local = to.cpu().get(U32, (6 * i + 3 + d) * WORD);
              Check.equal(at[d] % group[d], local, "the local id" + where);
            }
          }
        }
      }
    }
  }

  private static void offset(Rig rig) {
    Loaded loaded = load(rig, KernelSources.IDS);
    long[] size = {5, 3, 2};
    long[] offset = {7, 11, 13};
    Rig.Memory to = room(rig, loaded, size);
    Envelope envelope = ids(loaded, to, size);
    for (int d = 0; d < 3; d++) {
      envelope.opLong(Launch.OFFSET + 8L * d, offset[d]);
    }
    rig.success(loaded.context(), envelope, "a launch with an offset");
    check(to, size, offset, new long[0]);
    Rig.Memory line = room(rig, loaded, new long[] {9, 1, 1});
    rig.success(loaded.context(), ids(loaded, line, 9), "a launch of one dimension");
    check(line, new long[] {9, 1, 1}, new long[3], new long[0]);
  }

  private static void local(Rig rig) {
    Loaded loaded = load(rig, KernelSources.IDS);
    long[] size = {8, 6, 2};
    long[] group = {4, 3, 1};
    Rig.Memory to = room(rig, loaded, size);
    Envelope envelope = ids(loaded, to, size);
    for (int d = 0; d < 3; d++) {
      envelope.opWord(Launch.LOCAL + 4L * d, (int) group[d]);
    }
    rig.success(loaded.context(), envelope, "a launch with a work-group size");
    check(to, size, new long[3], group);
  }

  private static void required(Rig rig) {
    Loaded loaded = load(rig, KernelSources.REQUIRED);
    Check.equal(List.of(4, 2, 1), loaded.kernel("ids").groupSize(), "the required size");
    long[] size = {8, 4, 1};
    Rig.Memory to = room(rig, loaded, size);
    rig.success(loaded.context(), ids(loaded, to, size), "a launch that leaves the size out");
    check(to, size, new long[3], new long[] {4, 2, 1});
  }

  private static void localMemory(Rig rig) {
    Loaded loaded = load(rig, KernelSources.TURN);
    int items = 64;
    int group = 16;
    Rig.Memory from = rig.memory(loaded.context(), (long) items * WORD);
    Rig.Memory to = rig.memory(loaded.context(), (long) items * WORD);
    for (int i = 0; i < items; i++) {
      from.cpu().set(U32, (long) i * WORD, i);
    }
    rig.success(
        loaded.context(),
        loaded
            .envelope()
            .memory(from.id(), 0, from.size(), READ)
            .memory(to.id(), 0, to.size(), READ | WRITE)
            .launch(
                0,
                loaded.kernel("turn").entry(),
                new long[] {items},
                Envelope.Argument.buffer(1),
                Envelope.Argument.buffer(2),
                Envelope.Argument.local((long) group * WORD))
            .opWord(Launch.LOCAL, group),
        "a launch with local memory");
    for (int i = 0; i < items; i++) {
      int turned = i - i % group + group - 1 - i % group;
      Check.equal(turned, to.cpu().get(U32, (long) i * WORD), "word " + i + " of the turned");
    }
  }

  /** A vector of 1.5 to 4.5, and a structure of 7 and 0.25. */
  private static void bytes(Rig rig) {
    Loaded loaded = load(rig, KernelSources.JOIN);
    Rig.Memory to = rig.memory(loaded.context(), 24);
    byte[] vector = new byte[16];
    ByteBuffer.wrap(vector)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putFloat(1.5f)
        .putFloat(2.5f)
        .putFloat(3.5f)
        .putFloat(4.5f);
    byte[] pair = new byte[8];
    ByteBuffer.wrap(pair).order(ByteOrder.LITTLE_ENDIAN).putInt(7).putFloat(0.25f);
    rig.success(
        loaded.context(),
        loaded
            .envelope()
            .memory(to.id(), 0, 24, READ | WRITE)
            .launch(
                0,
                loaded.kernel("join").entry(),
                new long[] {1},
                Envelope.Argument.buffer(1),
                Envelope.Argument.bytes(vector),
                Envelope.Argument.bytes(pair)),
        "a launch with a vector and a structure");
    byte[] wanted = new byte[24];
    System.arraycopy(vector, 0, wanted, 0, 16);
    System.arraycopy(pair, 0, wanted, 16, 8);
    long at = MemorySegment.ofArray(wanted).mismatch(to.cpu().asSlice(0, 24));
    Check.that(at < 0, "a vector and a structure arrive wrong from byte " + at + " on");
  }

  private static void many(Rig rig) {
    Loaded loaded = load(rig, KernelSources.SUM);
    Rig.Memory to = rig.memory(loaded.context(), WORD);
    Envelope.Argument[] all =
        Stream.concat(
                Stream.of(Envelope.Argument.buffer(1)),
                IntStream.rangeClosed(1, 20)
                    .mapToObj(
                        i ->
                            i == 20
                                ? Envelope.Argument.bytes((byte) 20, (byte) 1, (byte) 0, (byte) 0)
                                : Envelope.Argument.u32(i)))
            .toArray(Envelope.Argument[]::new);
    rig.success(
        loaded.context(),
        loaded
            .envelope()
            .memory(to.id(), 0, WORD, READ | WRITE)
            .launch(0, loaded.kernel("sum").entry(), new long[] {1}, all),
        "a launch with 21 arguments");
    // the squares from 1 to 20, and 256 times 20
    Check.equal(2870 + 256 * 20, to.cpu().get(U32, 0), "the sum of 20 arguments");
  }
}
