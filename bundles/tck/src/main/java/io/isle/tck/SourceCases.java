package io.isle.tck;

import static io.isle.tck.Envelope.READ;
import static io.isle.tck.Envelope.WRITE;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.ProgramEntry;
import io.isle.api.driver.ProgramEntry.Kind;
import io.isle.api.driver.Programs;
import io.isle.lib.kabi.CommandOp;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Programs from source, as far as a driver takes them. */
final class SourceCases {
  /** A driver's own switch for a compiler that it offers to tests only. */
  private static final Map<String, String> COMPILER = Map.of("compiler", "true");

  private static final int SIZE = 10_001;
  private static final int LONGEST = 1 << 20;

  /** The built-in program of that name in OpenCL C. */
  static final String FILL =
      """
      __kernel void fill(__global uchar *dst, uint pattern)
      {
          size_t i = get_global_id(0);
          dst[i] = (uchar)(pattern >> (8 * (i & 3)));
      }
      """;

  static final String GARBAGE = "there is no such language as this one {";
  static final String BAD_OPTION = "--no-such-option-as-this-one";

  private SourceCases() {}

  static List<Case> all() {
    return List.of(
        new Case("program/kinds", COMPILER, SourceCases::kinds),
        new Case("program/opencl-c", COMPILER, SourceCases::openclC),
        new Case("program/build-error", COMPILER, SourceCases::buildError),
        new Case("program/build-options", COMPILER, SourceCases::buildOptions),
        new Case("program/long-source", COMPILER, SourceCases::longSource));
  }

  private static void kinds(Rig rig) {
    Programs programs = rig.programs();
    Set<Programs.Kind> kinds = programs.kinds();
    Check.that(!kinds.isEmpty(), "a device with programs accepts no kind of programs");
    Check.equal(
        programs.builtins().isEmpty(),
        !kinds.contains(Programs.Kind.BUILTIN),
        "the absence of built-in programs");
    Check.equal(kinds, programs.kinds(), "the kinds of programs at a second call");
  }

  private static void openclC(Rig rig) {
    long context = rig.context();
    long program = rig.newProgramId();
    List<ProgramEntry> entries = load(rig, context, program, FILL);
    Check.equal(1, entries.size(), "the number of entries of one kernel");
    ProgramEntry entry = entries.getFirst();
    Check.equal("fill", entry.name(), "the name of the kernel");
    Check.equal(
        List.of(Kind.BUFFER, Kind.U32),
        entry.arguments().stream().map(ProgramEntry.Argument::kind).toList(),
        "the kinds of the kernel's arguments");
    Rig.Memory memory = rig.memory(context, SIZE);
    rig.success(
        context,
        new Envelope()
            .program(program)
            .memory(memory.id(), 0, SIZE, READ | WRITE)
            .dispatch(0, Envelope.Argument.buffer(1), Envelope.Argument.u32(0x01020304))
            .opWord(CommandOp.Dispatch.ENTRY, entry.entry())
            .opWord(CommandOp.Dispatch.X, SIZE),
        "a kernel from source");
    byte[] wanted = new byte[SIZE];
    for (int i = 0; i < SIZE; i++) {
      wanted[i] = (byte) (4 - i % 4);
    }
    long at = MemorySegment.ofArray(wanted).mismatch(memory.cpu().asSlice(0, SIZE));
    Check.that(at < 0, "a kernel from source is wrong from byte " + at + " on");
  }

  private static void buildError(Rig rig) {
    long context = rig.context();
    long program = rig.newProgramId();
    Programs programs = rig.programs();
    Set<Programs.Kind> kinds = programs.kinds();
    Check.needs(kinds.size() > 1 || !kinds.contains(Programs.Kind.BUILTIN), "no compiler");
    for (Programs.Kind kind : kinds) {
      if (kind != Programs.Kind.BUILTIN) {
        String why = refusal(kind, () -> programs.load(context, program, kind, utf8(GARBAGE)));
        Check.that(!why.isBlank(), "a failed build of " + kind + " leaves no build log");
      }
    }
    if (kinds.contains(Programs.Kind.OPENCL_C)) {
      var ignored = load(rig, context, program, FILL);
    }
  }

  /** What the driver says of a source that cannot be built. */
  private static String refusal(Programs.Kind kind, Runnable load) {
    try {
      load.run();
    } catch (DriverException e) {
      Check.that(
          e.code() == Errno.EINVAL,
          "a failed build of " + kind + " ends with " + Errno.name(e.code()) + ", not EINVAL");
      return e.getMessage();
    }
    throw new Check.Broken("garbage is built as " + kind);
  }

  private static void buildOptions(Rig rig) {
    long context = rig.context();
    Programs programs = rig.programs();
    needsOpenclC(programs);
    try {
      var ignored =
          programs.load(
              context, rig.newProgramId(), Programs.Kind.OPENCL_C, utf8(FILL), "-DUNUSED=4");
    } catch (DriverException e) {
      Check.needs(e.code() != Errno.ENOTSUP, "no build options");
      throw e;
    }
    Check.refused(
        "an unknown build option",
        () ->
            programs.load(
                context, rig.newProgramId(), Programs.Kind.OPENCL_C, utf8(FILL), BAD_OPTION),
        Errno.EINVAL);
  }

  private static void longSource(Rig rig) {
    long context = rig.context();
    needsOpenclC(rig.programs());
    String padding = "// " + "x".repeat(60) + "\n";
    StringBuilder source = new StringBuilder(LONGEST);
    while (source.length() + padding.length() + FILL.length() <= LONGEST) {
      source.append(padding);
    }
    source.append(" ".repeat(LONGEST - FILL.length() - source.length())).append(FILL);
    List<ProgramEntry> entries = load(rig, context, rig.newProgramId(), source.toString());
    Check.equal("fill", entries.getFirst().name(), "the kernel at the end of 1 MiB of source");
  }

  private static void needsOpenclC(Programs programs) {
    Check.needs(programs.kinds().contains(Programs.Kind.OPENCL_C), "no OpenCL C");
  }

  private static List<ProgramEntry> load(Rig rig, long context, long program, String source) {
    needsOpenclC(rig.programs());
    return rig.programs().load(context, program, Programs.Kind.OPENCL_C, utf8(source));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
