package io.isle.apps.jobs;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.ProgramSource;
import io.isle.api.base.Errno;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The built-in programs of {@link FakeAccelerator}. */
final class FakePrograms {
  static final Map<String, List<String>> ENTRIES =
      Map.ofEntries(
          Map.entry("add-u8", List.of("const", "const", "buffer", "u32")),
          Map.entry("scale-f32", List.of("const", "f32", "buffer", "u64")),
          Map.entry("matmul-f32", List.of("const", "const", "buffer", "u32", "u32", "u32")),
          Map.entry("sort", List.of("buffer", "u32")),
          Map.entry("noop", List.of()),
          Map.entry("busy", List.of("u64")),
          Map.entry("copy", List.of("const", "buffer")),
          Map.entry("histogram", List.of("buffer", "buffer")),
          Map.entry("sha256", List.of("buffer", "buffer", "u64")),
          Map.entry("fill", List.of("buffer", "u32")),
          Map.entry("step-u32", List.of("const", "buffer", "i32")),
          Map.entry("down-u32", List.of("buffer")));

  /**
   * Kernels that files may have beside the builtins: {@code accumulate} adds x to y, {@code
   * consume} writes 2 * x to y and zeros to x, {@code probe} does nothing with any values.
   */
  private static final Map<String, List<String>> KERNELS =
      Map.of(
          "accumulate", List.of("const", "buffer", "u64"),
          "consume", List.of("buffer", "buffer", "u64"),
          "table", List.of("const", "buffer", "buffer", "u64"));

  private static final Pattern LINE = Pattern.compile("\\A#line 1 \"([^\"]*)\"\n");

  private FakePrograms() {}

  /** Kinds of the arguments of a kernel or builtin. */
  static List<String> arguments(String name) {
    return KERNELS.containsKey(name) ? KERNELS.get(name) : ENTRIES.getOrDefault(name, List.of());
  }

  /** Source text names kernels, one a line; what is none does not build. */
  static FakeProgram load(ProgramSource source, boolean describes) {
    return switch (source) {
      case ProgramSource.Builtin builtin -> new FakeProgram(List.of(builtin.name()), List.of());
      case ProgramSource.OpenClC text -> {
        Matcher line = LINE.matcher(text.source());
        String file = line.lookingAt() ? line.group(1) : "program";
        yield build(file, line.replaceFirst("").lines().toList(), describes);
      }
      case ProgramSource.OpenClFiles files ->
          build(
              files.files().getFirst().name(),
              files.files().stream().flatMap(file -> file.text().lines()).toList(),
              describes);
      case ProgramSource.SpirV module -> throw new AccelException(Errno.ENOTSUP, "" + module);
      case ProgramSource.Ptx text -> throw new AccelException(Errno.ENOTSUP, "" + text);
      case ProgramSource.Handlers image -> throw new AccelException(Errno.ENOTSUP, "" + image);
    };
  }

  private static FakeProgram build(String file, List<String> lines, boolean describes) {
    List<FakeKernel> kernels = lines.stream().map(FakeKernel::parse).toList();
    for (FakeKernel kernel : kernels) {
      boolean known = ENTRIES.containsKey(kernel.name()) || KERNELS.containsKey(kernel.name());
      if (!known && !kernel.name().equals("probe")) {
        throw new AccelException(
            Errno.EINVAL, "build log: " + file + ":1: " + String.join("\n", lines).strip());
      }
    }
    return new FakeProgram(
        kernels.stream().map(FakeKernel::name).toList(), describes ? kernels : List.of());
  }

  static void run(String name, List<MemorySegment> buffers, List<Long> scalars) {
    switch (name) {
      case "sha256" -> sha256(buffers.get(0), buffers.get(1), scalars.getFirst());
      case "copy" -> buffers.get(1).copyFrom(buffers.get(0));
      case "histogram" -> histogram(buffers.get(0), buffers.get(1));
      case "add-u8" -> FakeArithmetic.add(buffers, scalars.getFirst());
      case "scale-f32" ->
          FakeArithmetic.scale(
              buffers, Float.intBitsToFloat(scalars.getFirst().intValue()), scalars.get(1));
      case "matmul-f32" -> FakeArithmetic.multiply(buffers, scalars);
      case "accumulate" -> FakeArithmetic.accumulate(buffers, scalars.getFirst());
      case "consume" -> FakeArithmetic.consume(buffers, scalars.getFirst());
      case "table" -> FakeArithmetic.table(buffers, scalars.getFirst());
      case "sort" -> FakeArithmetic.sort(buffers.getFirst(), scalars.getFirst());
      case "fill" -> FakeArithmetic.fill(buffers.getFirst(), scalars.getFirst());
      case "step-u32" -> FakeArithmetic.step(buffers, scalars.getFirst());
      case "down-u32" -> FakeArithmetic.down(buffers.getFirst());
      default -> {}
    }
  }

  private static void sha256(MemorySegment in, MemorySegment out, long block) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (long at = 0, index = 0; at < in.byteSize(); at += block, index++) {
        long length = Math.min(block, in.byteSize() - at);
        digest.update(in.asSlice(at, length).asByteBuffer());
        MemorySegment.copy(MemorySegment.ofArray(digest.digest()), 0, out, index * 32, 32);
      }
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void histogram(MemorySegment in, MemorySegment out) {
    out.fill((byte) 0);
    for (long at = 0; at < in.byteSize(); at++) {
      int value = in.get(ValueLayout.JAVA_BYTE, at) & 0xff;
      out.setAtIndex(
          ValueLayout.JAVA_LONG_UNALIGNED,
          value,
          out.getAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, value) + 1);
    }
  }
}
