package io.isle.tck;

import static io.isle.tck.Envelope.READ;
import static io.isle.tck.Envelope.WRITE;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.ProgramEntry;
import io.isle.api.driver.ProgramSources;
import io.isle.api.driver.ProgramSources.File;
import io.isle.lib.kabi.CommandOp;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Programs of several files, as far as a driver takes them. */
final class FileCases {
  /** A driver's own switch for a compiler that it offers to tests only. */
  private static final Map<String, String> COMPILER = Map.of("compiler", "true");

  private static final int SIZE = 10_001;

  private static final String FILL =
      """
      #include "lib/byte.h"

      __kernel void fill(__global uchar *dst, uint pattern)
      {
          size_t i = get_global_id(0);
          dst[i] = byte_of(pattern, (uint)i);
      }
      """;

  private static final String BYTE =
      """
      #include "byte.h"
      uchar byte_of(uint pattern, uint i)
      {
          return (uchar)(pattern >> (8 * (i & 3)));
      }
      """;

  private static final String DECLARED =
      """
      #include "../types.h"
      uchar byte_of(uint pattern, uint i);
      """;

  private static final String GARBAGE = "\n\nthere is no such language as this one }\n";

  /** A kernel, a function in a file of its own, and a header that includes another one. */
  private static final List<File> FILES = List.of(file("fill.cl", FILL), file("lib/byte.cl", BYTE));

  private static final List<File> HEADERS =
      List.of(file("lib/byte.h", DECLARED), file("types.h", ""));

  private FileCases() {}

  static List<Case> all() {
    return List.of(
        new Case("program/files", COMPILER, FileCases::files),
        new Case("program/files-error", COMPILER, FileCases::error),
        new Case("program/files-missing", COMPILER, FileCases::missing),
        new Case("program/files-limits", COMPILER, FileCases::limits));
  }

  private static void files(Rig rig) {
    long context = rig.context();
    long program = rig.newProgramId();
    ProgramEntry entry = load(rig, context, program, FILES, HEADERS).getFirst();
    Check.equal("fill", entry.name(), "the name of the kernel");
    Rig.Memory memory = rig.memory(context, SIZE);
    rig.success(
        context,
        new Envelope()
            .program(program)
            .memory(memory.id(), 0, SIZE, READ | WRITE)
            .dispatch(0, Envelope.Argument.buffer(1), Envelope.Argument.u32(0x01020304))
            .opWord(CommandOp.Dispatch.ENTRY, entry.entry())
            .opWord(CommandOp.Dispatch.X, SIZE),
        "a kernel from two files");
    byte[] wanted = new byte[SIZE];
    for (int i = 0; i < SIZE; i++) {
      wanted[i] = (byte) (4 - i % 4);
    }
    long at = MemorySegment.ofArray(wanted).mismatch(memory.cpu().asSlice(0, SIZE));
    Check.that(at < 0, "a kernel from two files is wrong from byte " + at + " on");
  }

  private static void error(Rig rig) {
    String why =
        refusal(rig, FILES, List.of(file("lib/byte.h", GARBAGE), file("types.h", "")), "garbage");
    Check.that(
        why.contains("lib/byte.h:3"),
        "the build log of an error in line 3 of lib/byte.h does not name file and line: " + why);
  }

  private static void missing(Rig rig) {
    String why = refusal(rig, FILES, HEADERS.subList(0, 1), "an #include of no file");
    Check.that(
        why.contains("lib/byte.h") && why.contains("types.h"),
        "the build log of an #include of no file does not name both files: " + why);
  }

  /** What the driver says of files that cannot be built. */
  private static String refusal(Rig rig, List<File> files, List<File> headers, String what) {
    long context = rig.context();
    ProgramSources sources = sources(rig);
    try {
      var ignored = sources.load(context, rig.newProgramId(), files, headers, "");
    } catch (DriverException e) {
      Check.that(
          e.code() == Errno.EINVAL, what + " ends with " + Errno.name(e.code()) + ", not EINVAL");
      return e.getMessage();
    }
    throw new Check.Broken(what + " is built");
  }

  private static void limits(Rig rig) {
    List<File> headers = new ArrayList<>(HEADERS);
    int bytes = FILES.stream().mapToInt(file -> file.text().length).sum() + DECLARED.length();
    while (headers.size() + FILES.size() < ProgramSources.MAX_FILES) {
      int left = ProgramSources.MAX_FILES - headers.size() - FILES.size();
      int room = ProgramSources.MAX_BYTES - bytes;
      String text = comment(left == 1 ? room : Math.min(ProgramSources.MAX_FILE_BYTES, room / 2));
      String name = "h" + headers.size();
      headers.add(file(name + "x".repeat(ProgramSources.MAX_NAME_BYTES - name.length()), text));
      bytes += text.length();
    }
    Check.equal(ProgramSources.MAX_BYTES, bytes, "the bytes of the case's files");
    ProgramEntry entry = load(rig, rig.context(), rig.newProgramId(), FILES, headers).getFirst();
    Check.equal("fill", entry.name(), "the kernel of a program of 64 files and 4 MiB");
  }

  private static String comment(int length) {
    return length < 4 ? " ".repeat(length) : "//" + "x".repeat(length - 3) + "\n";
  }

  private static ProgramSources sources(Rig rig) {
    return rig.device()
        .extension(ProgramSources.class)
        .orElseThrow(() -> new Check.Skipped("no programs of several files"));
  }

  private static List<ProgramEntry> load(
      Rig rig, long context, long program, List<File> files, List<File> headers) {
    List<ProgramEntry> entries = sources(rig).load(context, program, files, headers, "-DUNUSED=4");
    Check.equal(1, entries.size(), "the number of entries of one kernel");
    return entries;
  }

  private static File file(String name, String text) {
    return new File(name, text.getBytes(StandardCharsets.UTF_8));
  }
}
