package io.isle.tck;

import static io.isle.tck.Envelope.READ;
import static io.isle.tck.Envelope.WRITE;

import io.isle.api.base.Errno;
import io.isle.api.driver.ProgramEntry;
import io.isle.api.driver.Programs;
import io.isle.api.driver.Programs.Kind;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Programs: which there are, what they compute, and what a dispatch may say. */
final class ProgramCases {
  static final int SIZE = 70_001;

  private ProgramCases() {}

  static List<Case> all() {
    return List.of(
        Case.of("program/builtins-load", ProgramCases::builtins),
        Case.of("program/unknown-builtin", ProgramCases::unknown),
        Case.of("program/unknown-kind", ProgramCases::kinds),
        Case.of("program/unloaded", ProgramCases::unloaded),
        Case.of("program/foreign", ProgramCases::foreign),
        Case.of("program/dispatch-arguments", DispatchCase::arguments),
        Case.of("program/op-fill", ProgramCases::opFill),
        Case.of("program/op-copy", ProgramCases::opCopy),
        Case.of("program/fill", ProgramCases::fill),
        Case.of("program/copy", ProgramCases::copy),
        Case.of("program/sha256", ProgramCases::sha256),
        Case.of("program/histogram", ProgramCases::histogram));
  }

  private static void builtins(Rig rig) {
    long context = rig.context();
    Set<String> names = new HashSet<>();
    for (ProgramEntry entry : rig.programs().builtins()) {
      Check.that(names.add(entry.name()), "built-in " + entry.name() + " is given twice");
      Check.that(entry.arguments().size() <= 16, entry.name() + " has more than 16 arguments");
      List<ProgramEntry> loaded = load(rig, context, entry.name());
      Check.that(!loaded.isEmpty(), entry.name() + " has no entries when loaded");
    }
  }

  private static List<ProgramEntry> load(Rig rig, long context, String name) {
    try {
      byte[] source = name.getBytes(StandardCharsets.UTF_8);
      return rig.programs().load(context, rig.newProgramId(), Kind.BUILTIN, source);
    } catch (io.isle.api.driver.DriverException e) {
      throw new Check.Broken("built-in " + name + " does not load: " + e.getMessage());
    }
  }

  private static void unknown(Rig rig) {
    long context = rig.context();
    Programs programs = rig.programs();
    Check.needs(programs.kinds().contains(Kind.BUILTIN), "no built-in programs");
    for (String name : List.of("no_such_program", "", "noop\0", "../noop", "x".repeat(4000))) {
      byte[] source = name.getBytes(StandardCharsets.UTF_8);
      Check.refused(
          "the built-in '" + (name.length() > 20 ? "xxx..." : name.replace('\0', '?')) + "'",
          () -> programs.load(context, rig.newProgramId(), Kind.BUILTIN, source),
          Errno.ENOENT,
          Errno.EINVAL);
    }
  }

  private static void kinds(Rig rig) {
    long context = rig.context();
    Programs programs = rig.programs();
    for (Kind kind : Kind.values()) {
      if (!programs.kinds().contains(kind)) {
        Check.refused(
            "a program of kind " + kind,
            () -> programs.load(context, rig.newProgramId(), kind, new byte[] {'x'}),
            Errno.ENOTSUP);
      }
    }
  }

  private static void unloaded(Rig rig) {
    long context = rig.context();
    long program = rig.program(context, "noop");
    rig.programs().unload(program);
    rig.fails(
        context, new Envelope().program(program).dispatch(0), "a dispatch of an unloaded program");
  }

  private static void foreign(Rig rig) {
    long program = rig.program(rig.context(), "noop");
    rig.fails(
        rig.context(),
        new Envelope().program(program).dispatch(0),
        "a dispatch of another context's program");
  }

  /** The program fill on all of {@code memory}. */
  static Envelope fillOf(long program, Rig.Memory memory) {
    return new Envelope()
        .program(program)
        .memory(memory.id(), 0, SIZE, WRITE)
        .dispatch(0, Envelope.Argument.buffer(1), Envelope.Argument.u32(0x01020304));
  }

  private static void opFill(Rig rig) {
    long context = rig.context();
    Rig.Memory memory = rig.memory(context, 64);
    rig.success(
        context,
        new Envelope().memory(memory.id(), 8, 32, WRITE).fill(0, 1, 7, 0x04030201),
        "a fill");
    byte[] wanted = new byte[64];
    System.arraycopy(new byte[] {1, 2, 3, 4, 1, 2, 3}, 0, wanted, 9, 7);
    same(wanted, memory, "a fill of 7 bytes");
  }

  private static void opCopy(Rig rig) {
    long context = rig.context();
    Rig.Memory memory = rig.memory(context, SIZE);
    byte[] bytes = numbers(memory);
    rig.success(
        context,
        new Envelope().memory(memory.id(), 0, SIZE, READ | WRITE).copy(0, 3, 0, 0, SIZE - 3),
        "a copy");
    byte[] wanted = bytes.clone();
    System.arraycopy(bytes, 0, wanted, 3, SIZE - 3);
    same(wanted, memory, "a copy onto itself");
  }

  private static void fill(Rig rig) {
    long context = rig.context();
    Rig.Memory memory = rig.memory(context, SIZE);
    rig.success(context, fillOf(rig.program(context, "fill"), memory), "the program fill");
    byte[] wanted = new byte[SIZE];
    for (int i = 0; i < SIZE; i++) {
      wanted[i] = (byte) (4 - i % 4);
    }
    same(wanted, memory, "the program fill");
  }

  private static Rig.Memory run(
      Rig rig, String name, Rig.Memory src, long context, int room, Envelope.Argument... more) {
    Rig.Memory dst = rig.memory(context, room);
    Envelope.Argument[] all = new Envelope.Argument[2 + more.length];
    all[0] = Envelope.Argument.buffer(1);
    all[1] = Envelope.Argument.buffer(2);
    System.arraycopy(more, 0, all, 2, more.length);
    rig.success(
        context,
        new Envelope()
            .program(rig.program(context, name))
            .memory(src.id(), 0, SIZE, READ)
            .memory(dst.id(), 0, room, WRITE)
            .dispatch(0, all),
        "the program " + name);
    return dst;
  }

  private static void copy(Rig rig) {
    long context = rig.context();
    Rig.Memory src = rig.memory(context, SIZE);
    byte[] wanted = numbers(src);
    same(wanted, run(rig, "copy", src, context, SIZE), "the program copy");
  }

  private static void sha256(Rig rig) throws Exception {
    long context = rig.context();
    Rig.Memory src = rig.memory(context, SIZE);
    byte[] bytes = numbers(src);
    int block = 65_536;
    byte[] wanted = new byte[64];
    for (int i = 0; i < 2; i++) {
      byte[] part = Arrays.copyOfRange(bytes, i * block, Math.min(SIZE, (i + 1) * block));
      System.arraycopy(MessageDigest.getInstance("SHA-256").digest(part), 0, wanted, 32 * i, 32);
    }
    same(
        wanted,
        run(rig, "sha256", src, context, 64, Envelope.Argument.u64(block)),
        "the program sha256");
  }

  private static void histogram(Rig rig) {
    long context = rig.context();
    Rig.Memory src = rig.memory(context, SIZE);
    long[] counts = new long[256];
    for (byte value : numbers(src)) {
      counts[value & 0xff]++;
    }
    Rig.Memory dst = run(rig, "histogram", src, context, 2048);
    for (int i = 0; i < 256; i++) {
      Check.equal(
          counts[i], dst.cpu().getAtIndex(ValueLayout.JAVA_LONG, i), "the count of byte " + i);
    }
  }

  private static byte[] numbers(Rig.Memory memory) {
    byte[] bytes = new byte[(int) memory.size()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (i * 31 + (i >> 8));
    }
    memory.cpu().asSlice(0, bytes.length).copyFrom(MemorySegment.ofArray(bytes));
    return bytes;
  }

  private static void same(byte[] wanted, Rig.Memory memory, String what) {
    long at = MemorySegment.ofArray(wanted).mismatch(memory.cpu().asSlice(0, wanted.length));
    Check.that(at < 0, what + " is wrong from byte " + at + " on");
  }
}
