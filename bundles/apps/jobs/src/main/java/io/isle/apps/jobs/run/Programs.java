package io.isle.apps.jobs.run;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.Program;
import io.isle.api.accel.ProgramSource;
import io.isle.api.base.Errno;
import io.isle.api.jobs.JobException;
import io.isle.apps.jobs.platform.Failures;
import io.isle.apps.jobs.spec.JobSpec;
import io.isle.apps.jobs.spec.StepProgram;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The programs of a job. Files are read before it begins: what becomes of them later does not
 * matter, over recoveries neither. Immutable.
 */
final class Programs {
  /** Most bytes of all files together. */
  static final long MAX_BYTES = 16L << 20;

  /** What some editors begin a file in UTF-8 with; a compiler takes it nowhere else. */
  private static final String MARK = "\ufeff";

  private final Map<StepProgram.Code, ProgramSource> sources = new HashMap<>();

  private Programs() {}

  /**
   * Reads them.
   *
   * @throws JobException naming the place and the file
   */
  static Programs read(JobSpec spec) {
    Programs programs = new Programs();
    long bytes = 0;
    for (JobSpec.Stream stream : spec.streams()) {
      for (JobSpec.Step step : stream.steps()) {
        for (StepProgram program : step.programs()) {
          if (!programs.sources.containsKey(program.code())) {
            ProgramSource source = source(program);
            bytes += source.size();
            if (bytes > MAX_BYTES) {
              throw program
                  .where()
                  .failure(
                      Errno.EMSGSIZE,
                      "the programs of the job have more than " + MAX_BYTES + " bytes in all");
            }
            programs.sources.put(program.code(), source);
          }
        }
      }
    }
    return programs;
  }

  private static ProgramSource source(StepProgram program) {
    return switch (program.code()) {
      case StepProgram.Code.Builtin builtin -> new ProgramSource.Builtin(builtin.name());
      case StepProgram.Code.OfFile file -> {
        try {
          byte[] bytes = bytes(file.file());
          yield switch (file.kind()) {
            case OPENCL_C ->
                named(file.file(), new ProgramSource.OpenClC(text(bytes), file.options()));
            case SPIRV -> new ProgramSource.SpirV(bytes);
            case PTX -> new ProgramSource.Ptx(bytes);
            case BUILTIN ->
                throw new IllegalArgumentException(file + " is not a kind of program files");
          };
        } catch (AccelException e) {
          throw failed(program, e.code(), e.getMessage());
        } catch (CharacterCodingException e) {
          throw failed(program, Errno.EINVAL, "is not UTF-8");
        } catch (IOException e) {
          throw failed(program, Errno.ENOENT, Failures.reason(e));
        }
      }
    };
  }

  private static JobException failed(StepProgram program, int code, String why) {
    return program.where().failure(code, program.code().text() + ": " + why);
  }

  private static byte[] bytes(Path file) throws IOException {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new IOException("is not a regular file");
    }
    try (InputStream in = Files.newInputStream(file)) {
      return in.readNBytes(ProgramSource.MAX_SOURCE_BYTES + 1);
    }
  }

  private static String text(byte[] bytes) throws CharacterCodingException {
    return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
  }

  /** Compilers tell of the file that the source names; one that leaves no room for it has none. */
  private static ProgramSource named(Path file, ProgramSource.OpenClC source) {
    String name = file.getFileName().toString().replaceAll("[\\p{Cntrl}\"\\\\]", "?");
    String text = source.source().startsWith(MARK) ? source.source().substring(1) : source.source();
    String named = "#line 1 \"" + name + "\"\n" + text;
    return named.getBytes(StandardCharsets.UTF_8).length > ProgramSource.MAX_SOURCE_BYTES
        ? source
        : new ProgramSource.OpenClC(named, source.options());
  }

  ProgramSource source(StepProgram.Code code) {
    return sources.get(code);
  }

  /**
   * How what only comes out of a step is bound. Nobody says of a kernel whether it reads what it
   * may write, so that it must be allowed to.
   */
  static int outputAccess(StepProgram program) {
    return program.code() instanceof StepProgram.Code.OfFile
        ? Buffer.READ | Buffer.WRITE
        : Buffer.WRITE;
  }

  /**
   * Number of the entry that a step runs.
   *
   * @throws JobException naming those that there are
   */
  static int entry(StepProgram program, List<Program.Entry> entries) {
    if (program.kernel().isEmpty() && entries.size() == 1) {
      return 0;
    }
    for (int i = 0; i < entries.size(); i++) {
      if (program.kernel().filter(entries.get(i).name()::equals).isPresent()) {
        return i;
      }
    }
    String there =
        entries.stream()
            .map(entry -> entry.name() + "(" + String.join(", ", entry.arguments()) + ")")
            .collect(Collectors.joining(", "));
    throw failed(
        program,
        Errno.ENOENT,
        program.kernel().map(name -> "has no kernel '" + name + "'").orElse("name the 'kernel'")
            + (entries.isEmpty()
                ? "; the program has no kernels"
                : "; the kernels of the program are " + there));
  }
}
