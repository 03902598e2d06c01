package io.isle.apps.jobs.spec;

import io.isle.api.accel.ProgramKind;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A program that a step may run, with its arguments.
 *
 * @param kernel entry of a file's program; empty for its only one
 * @param args scalar arguments, checked against the program when it is loaded
 * @param size the dispatch, one to three extents; empty for the program's own
 */
public record StepProgram(
    Code code,
    Optional<String> kernel,
    List<JobSpec.Arg> args,
    List<Buffers.Formula> size,
    Located where) {
  public StepProgram {
    args = List.copyOf(args);
    size = List.copyOf(size);
  }

  /** Where a program comes from; equal ones are loaded once. */
  public sealed interface Code {
    /** What a device must take. */
    ProgramKind kind();

    /** For messages: the builtin's name, or the file's. */
    String text();

    /** A program that drivers bring along. */
    record Builtin(String name) implements Code {
      @Override
      public ProgramKind kind() {
        return ProgramKind.BUILTIN;
      }

      @Override
      public String text() {
        return name;
      }
    }

    /**
     * Source or module in a file.
     *
     * @param options of the compiler; may be empty
     */
    record OfFile(Path file, ProgramKind kind, String options) implements Code {
      @Override
      public String text() {
        return file.toString();
      }
    }
  }
}
