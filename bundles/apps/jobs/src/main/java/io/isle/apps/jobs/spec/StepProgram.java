package io.isle.apps.jobs.spec;

import io.isle.api.accel.ProgramKind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A program that a step may run, with its arguments.
 *
 * @param kernel entry of a file's program; empty for its only one
 * @param args arguments, checked against the program when it is loaded
 * @param range the dispatch; a kernel has a size
 */
public record StepProgram(
    Code code, Optional<String> kernel, List<Arg> args, NdRange range, Located where) {
  public StepProgram {
    args = List.copyOf(args);
  }

  /** Whether it is an entry of a program from files. */
  public boolean isKernel() {
    return !(code instanceof Code.Builtin);
  }

  /** Names in the formulas of its arguments and sizes. */
  public Set<String> formulaNames() {
    List<Buffers.Formula> formulas = new ArrayList<>(range.size());
    formulas.addAll(range.local().orElse(List.of()));
    formulas.addAll(range.offset());
    args.forEach(arg -> collect(arg, formulas));
    return formulas.stream()
        .flatMap(formula -> formula.value().names().stream())
        .collect(Collectors.toSet());
  }

  private static void collect(Arg arg, List<Buffers.Formula> formulas) {
    switch (arg) {
      case Arg.Plain plain -> plain.formula().ifPresent(formulas::add);
      case Arg.Typed typed -> collect(typed.value(), formulas);
      case Arg.Local local -> formulas.add(local.bytes());
      case Arg.Raw _ -> {}
    }
  }

  private static void collect(TypedValue value, List<Buffers.Formula> formulas) {
    switch (value) {
      case TypedValue.Numbers numbers ->
          numbers.numbers().forEach(number -> collect(number, formulas));
      case TypedValue.Struct struct ->
          struct.members().forEach(member -> collect(member, formulas));
      case TypedValue.Bytes _ -> {}
    }
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

    /**
     * Sources in OpenCL C that are compiled and linked together.
     *
     * @param name that the job file gives them
     * @param files to be compiled
     * @param headers only to be included
     * @param options of the compiler; may be empty
     */
    record Declared(String name, List<Source> files, List<Source> headers, String options)
        implements Code {
      public Declared {
        files = List.copyOf(files);
        headers = List.copyOf(headers);
      }

      /** Files and headers, in this order. */
      public List<Source> all() {
        return Stream.concat(files.stream(), headers.stream()).toList();
      }

      @Override
      public ProgramKind kind() {
        return ProgramKind.OPENCL_C;
      }

      @Override
      public String text() {
        return "'" + name + "'";
      }
    }

    /**
     * A file of a declared program.
     *
     * @param name as sources include it and messages call it: from the job file's folder on
     * @param file where it is, without links
     */
    record Source(String name, Path file, Located where) {
      @Override
      public boolean equals(Object other) {
        return other instanceof Source same && name.equals(same.name) && file.equals(same.file);
      }

      @Override
      public int hashCode() {
        return file.hashCode();
      }
    }
  }
}
