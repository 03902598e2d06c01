package io.isle.apps.jobs.run;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.ProgramSource;
import io.isle.api.accel.SourceFile;
import io.isle.api.base.Errno;
import io.isle.api.jobs.JobException;
import io.isle.apps.jobs.platform.Failures;
import io.isle.apps.jobs.spec.JobSpec;
import io.isle.apps.jobs.spec.Located;
import io.isle.apps.jobs.spec.StepProgram;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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
        for (StepProgram program : step.allPrograms()) {
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
          yield source(file);
        } catch (AccelException | IOException e) {
          throw failed(program.where(), program.code().text(), e);
        }
      }
      case StepProgram.Code.Declared declared -> {
        List<SourceFile> files = files(declared);
        int compiled = declared.files().size();
        try {
          yield new ProgramSource.OpenClFiles(
              files.subList(0, compiled),
              files.subList(compiled, files.size()),
              declared.options());
        } catch (AccelException e) {
          throw failed(program.where(), program.code().text(), e);
        }
      }
    };
  }

  private static ProgramSource source(StepProgram.Code.OfFile file) throws IOException {
    byte[] bytes = bytes(file.file());
    return switch (file.kind()) {
      case OPENCL_C -> named(file.file(), new ProgramSource.OpenClC(text(bytes), file.options()));
      case SPIRV -> new ProgramSource.SpirV(bytes);
      case PTX -> new ProgramSource.Ptx(bytes);
      case BUILTIN, HANDLERS ->
          throw new IllegalArgumentException(file + " is not a kind of program files");
    };
  }

  /** Those to be compiled first; no more is read than a program may have. */
  private static List<SourceFile> files(StepProgram.Code.Declared program) {
    List<SourceFile> files = new ArrayList<>();
    long bytes = 0;
    for (StepProgram.Code.Source source : program.all()) {
      try {
        SourceFile file = new SourceFile(source.name(), unmarked(text(bytes(source.file()))));
        files.add(file);
        bytes += file.size();
      } catch (AccelException | IOException e) {
        throw failed(source.where(), source.name(), e);
      }
      if (bytes > ProgramSource.MAX_PROGRAM_BYTES) {
        throw source
            .where()
            .failure(
                Errno.EMSGSIZE,
                "the files of the program "
                    + program.text()
                    + " have more than "
                    + ProgramSource.MAX_PROGRAM_BYTES
                    + " bytes in all");
      }
    }
    return files;
  }

  private static JobException failed(Located where, String file, Exception e) {
    int code =
        switch (e) {
          case AccelException refused -> refused.code();
          case CharacterCodingException _ -> Errno.EINVAL;
          default -> Errno.ENOENT;
        };
    String why =
        switch (e) {
          case CharacterCodingException _ -> "is not UTF-8";
          case IOException failed -> Failures.reason(failed);
          default -> e.getMessage();
        };
    return where.failure(code, file + ": " + why);
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

  private static String unmarked(String text) {
    return text.startsWith(MARK) ? text.substring(1) : text;
  }

  /** Compilers tell of the file that the source names; one that leaves no room for it has none. */
  private static ProgramSource named(Path file, ProgramSource.OpenClC source) {
    String name = file.getFileName().toString().replaceAll("[\\p{Cntrl}\"\\\\]", "?");
    String named = "#line 1 \"" + name + "\"\n" + unmarked(source.source());
    return named.getBytes(StandardCharsets.UTF_8).length > ProgramSource.MAX_SOURCE_BYTES
        ? source
        : new ProgramSource.OpenClC(named, source.options());
  }

  ProgramSource source(StepProgram.Code code) {
    return sources.get(code);
  }
}
