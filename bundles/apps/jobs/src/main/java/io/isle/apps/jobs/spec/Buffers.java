package io.isle.apps.jobs.spec;

import io.isle.api.accel.CommandWriter;
import io.isle.apps.jobs.data.ElementType;
import io.isle.apps.jobs.formula.Expression;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The buffers of a step. A name that is in both lists is one buffer, changed in place.
 *
 * @param stream the extent along which the step is cut into pieces; empty for a step as a whole
 * @param named whether the job file names them; else there is at most one input, a file that goes
 *     through in pieces, and one output, whose shape the program says
 */
public record Buffers(
    List<Input> inputs, List<Output> outputs, Optional<String> stream, boolean named) {
  /** None. */
  public static final Buffers NONE = new Buffers(List.of(), List.of(), Optional.empty(), false);

  /** The only extent of a buffer that has no name in the job file. */
  public static final String UNITS = "units";

  /** Most buffers of a step: a submission binds no more beside the program. */
  public static final int MAX = CommandWriter.MAX_USES - 1;

  /** What follows a buffer's name in the name of its type's number. */
  public static final String KIND = ".kind";

  public Buffers {
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
  }

  /** How a file holds elements. */
  public enum Format {
    /** The elements and nothing else. */
    RAW,
    NPY,
    PNG,
    /** A line for each record of a built-in program: hexadecimal digits, and its index. */
    LINES;

    /** Those of buffers with a type and a shape. */
    public static final List<Format> OF_ARRAYS = List.of(RAW, NPY, PNG);

    /** Those of a program's results as they come. */
    public static final List<Format> OF_BYTES = List.of(RAW, LINES);

    /** As job files write it. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** The one that a file's name ends with, else RAW. */
    public static Format of(Path file) {
      String name = file.toString();
      return name.endsWith(".npy") ? NPY : name.endsWith(".png") ? PNG : RAW;
    }
  }

  /** Where an input comes from. */
  public sealed interface Source {
    /** A file, FIFO or terminal. */
    record OfFile(Path path, Format format) implements Source {}

    /** Numbers of the job file. */
    record Values(List<Number> numbers) implements Source {}

    /** What an earlier step made. */
    record OfStep(StepRef step, String buffer) implements Source {}

    /** A number of the job file: its text, and where it stands. */
    record Number(String text, Located where) {}
  }

  /** A step of the job. */
  public record StepRef(String stream, String step) {
    /** As job files write it. */
    public String text() {
      return stream + "/" + step;
    }
  }

  /**
   * A buffer that has contents before the step.
   *
   * @param type empty when the file or the earlier step says it
   * @param shape likewise
   */
  public record Input(
      String name,
      Source source,
      Optional<ElementType> type,
      Optional<List<Extent>> shape,
      Located where) {}

  /**
   * An extent of an input: a number, or a name that stands for the same number all over the step.
   */
  public record Extent(Optional<String> symbol, OptionalLong number, Located where) {}

  /**
   * A buffer that has contents after the step.
   *
   * @param file empty when only later steps read it
   * @param type empty for one changed in place, or without a name in the job file
   * @param shape formulas over the names of the inputs' extents; empty as {@code type}
   * @param initial what it holds before a kernel, if not zeros
   * @param merge whether the pieces are sorted runs that are merged
   * @param print whether its lines go to the caller, too
   */
  public record Output(
      String name,
      Optional<Path> file,
      Format format,
      Optional<ElementType> type,
      Optional<List<Formula>> shape,
      Optional<Initial> initial,
      boolean merge,
      boolean print,
      Optional<Expect> expect,
      Located where) {}

  /** Arithmetic over the names of extents. */
  public record Formula(String text, Expression value, Located where) {}

  /**
   * What an output is compared with: element by element, {@code |found - expected| <= absolute +
   * relative * |expected|}.
   *
   * @param value a formula over the elements of the inputs at the same place
   * @param file or a file; one of the two is there
   */
  public record Expect(
      Optional<Formula> value,
      Optional<Path> file,
      double absolute,
      double relative,
      Located where) {}

  /** Files that the step writes. */
  List<JobSpec.FileUse> outputFiles() {
    return outputs.stream()
        .flatMap(
            output -> output.file().map(file -> new JobSpec.FileUse(file, output.where())).stream())
        .toList();
  }

  /** Files that the step reads, to compare or to begin with as well. */
  List<JobSpec.FileUse> inputFiles() {
    List<JobSpec.FileUse> files = new ArrayList<>();
    for (Input input : inputs) {
      if (input.source() instanceof Source.OfFile file) {
        files.add(new JobSpec.FileUse(file.path(), input.where()));
      }
    }
    for (Output output : outputs) {
      output
          .expect()
          .flatMap(Expect::file)
          .ifPresent(file -> files.add(new JobSpec.FileUse(file, output.where())));
      if (output.initial().isPresent() && output.initial().get() instanceof Initial.OfFile file) {
        files.add(new JobSpec.FileUse(file.file(), output.where()));
      }
    }
    return files;
  }

  /** Whether results are kept or shown that come piece by piece, and so come once. */
  boolean writesOnce() {
    return named
        ? stream.isPresent() && !outputs.isEmpty()
        : outputs.stream().anyMatch(output -> output.print() || output.file().isPresent());
  }

  /** The names of all, those of the inputs first. */
  public List<String> names() {
    return Stream.concat(inputs.stream().map(Input::name), outputs.stream().map(Output::name))
        .distinct()
        .toList();
  }

  /** Inputs that go through in pieces. */
  public List<Input> cut() {
    return inputs.stream().filter(this::isCut).toList();
  }

  /** Whether a buffer goes through in pieces: its first extent is the one of {@code stream}. */
  public boolean isCut(Input input) {
    return stream.isPresent()
        && input.shape().isPresent()
        && !input.shape().get().isEmpty()
        && input.shape().get().getFirst().symbol().equals(stream);
  }

  /** Names of the inputs' extents. */
  public Set<String> symbols() {
    Set<String> symbols = new LinkedHashSet<>();
    for (Input input : inputs) {
      for (Extent extent : input.shape().orElse(List.of())) {
        extent.symbol().ifPresent(symbols::add);
      }
    }
    return symbols;
  }

  /** What formulas of arguments may use: extents, and the kinds of buffers. */
  Set<String> formulaNames() {
    Set<String> names = symbols();
    inputs.forEach(input -> names.add(input.name() + KIND));
    outputs.forEach(output -> names.add(output.name() + KIND));
    return names;
  }

  /** The input of that name. */
  public Optional<Input> input(String name) {
    return inputs.stream().filter(input -> input.name().equals(name)).findFirst();
  }

  /** The output of that name. */
  public Optional<Output> output(String name) {
    return outputs.stream().filter(output -> output.name().equals(name)).findFirst();
  }
}
