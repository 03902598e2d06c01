package io.isle.apps.jobs.spec;

import io.isle.apps.jobs.data.Dims;
import io.isle.apps.jobs.data.ElementType;
import io.isle.apps.jobs.formula.Numbers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Reads {@code in}, {@code out} and {@code stream} of a step. */
final class BufferParser {
  static final String NAME = "[A-Za-z][A-Za-z0-9_]{0,31}";

  private static final int MAX_VALUES = 4096;

  private final Parameters parameters;
  private final String stream;

  /**
   * @param stream name of the stream, for references to its steps
   */
  BufferParser(Parameters parameters, String stream) {
    this.parameters = parameters;
    this.stream = stream;
  }

  /**
   * Reads them.
   *
   * @param in null when absent, as the others
   */
  Buffers buffers(Located in, Located out, Located streamAt) {
    boolean named =
        (in != null && in.isMapping())
            || (in == null && out != null && out.isMapping() && out.hasMappings());
    if (named) {
      return named(in, out, streamAt);
    }
    if (streamAt != null) {
      throw streamAt.error("needs named buffers: 'in: {NAME: {file: ...}}'");
    }
    return plain(in, out);
  }

  /** One file goes in and results come out; how these follow from it, the program says. */
  private Buffers plain(Located in, Located out) {
    if (in != null && !in.isScalar()) {
      throw in.error("must be one file, or name its buffers: {NAME: {file: ...}}");
    }
    List<Buffers.Input> inputs = new ArrayList<>();
    if (in != null) {
      inputs.add(
          new Buffers.Input(
              "in",
              new Buffers.Source.OfFile(parameters.neededFile(in), Buffers.Format.RAW),
              Optional.of(ElementType.U8),
              Optional.of(
                  List.of(
                      new Buffers.Extent(Optional.of(Buffers.UNITS), OptionalLong.empty(), in))),
              in));
    }
    return new Buffers(
        inputs,
        new OutputParser(parameters, inputs, Set.of()).plain(out, in).stream().toList(),
        Optional.ofNullable(in).map(at -> Buffers.UNITS),
        false);
  }

  private Buffers named(Located in, Located out, Located streamAt) {
    List<Buffers.Input> inputs = new ArrayList<>();
    if (in != null) {
      in.entries(Buffers.MAX).forEach((name, at) -> inputs.add(input(name(name, at), at)));
    }
    Set<String> symbols = new Buffers(inputs, List.of(), Optional.empty(), true).symbols();
    OutputParser parser = new OutputParser(parameters, inputs, symbols);
    List<Buffers.Output> outputs = new ArrayList<>();
    if (out != null) {
      if (!out.isMapping() || !out.hasMappings()) {
        throw out.error("must name its buffers, as 'in' does: {NAME: {file: ..., type: ...}}");
      }
      out.entries(Buffers.MAX)
          .forEach((name, at) -> outputs.add(parser.output(name(name, at), at)));
      long all =
          inputs.size() + outputs.stream().filter(output -> output.type().isPresent()).count();
      if (all > Buffers.MAX) {
        throw out.error("gives the step " + all + " buffers; the limit is " + Buffers.MAX);
      }
    }
    Optional<String> cut = Optional.ofNullable(streamAt).map(parameters::text);
    if (cut.isPresent() && !symbols.contains(cut.get())) {
      throw streamAt.error("'" + cut.get() + "' is not an extent of an input of this step");
    }
    Buffers buffers = new Buffers(inputs, outputs, cut, true);
    cut.ifPresent(symbol -> StreamedBuffers.check(buffers, symbol));
    for (Buffers.Output output : outputs) {
      if (output.merge() && cut.isEmpty()) {
        throw output.where().error("'merge' needs 'stream'");
      }
    }
    return buffers;
  }

  static String name(String name, Located at) {
    if (!name.matches(NAME)) {
      throw at.error(
          "a buffer's name has 1 to 32 characters of A-Z, a-z, 0-9 and '_', the first a letter");
    }
    return name;
  }

  private Buffers.Input input(String name, Located at) {
    Map<String, Located> keys = at.mapping("file", "from", "values", "format", "type", "shape");
    List<String> sources =
        keys.keySet().stream().filter(List.of("file", "from", "values")::contains).toList();
    if (sources.size() != 1) {
      throw at.error("needs one of 'file', 'from', 'values'");
    }
    Located sourceAt = keys.get(sources.getFirst());
    Buffers.Source source =
        switch (sources.getFirst()) {
          case "file" -> {
            Path file = parameters.neededFile(sourceAt);
            yield new Buffers.Source.OfFile(
                file, format(parameters, keys.get("format"), Optional.of(file)));
          }
          case "from" -> from(sourceAt);
          default -> values(sourceAt);
        };
    if (keys.containsKey("format") && !(source instanceof Buffers.Source.OfFile)) {
      throw keys.get("format").error("only a file has a format");
    }
    Optional<ElementType> type = type(parameters, keys.get("type"));
    Optional<List<Buffers.Extent>> shape = Optional.ofNullable(keys.get("shape")).map(this::shape);
    if (source instanceof Buffers.Source.Values && (type.isEmpty() || shape.isEmpty())) {
      throw at.error("'values' need 'type' and 'shape'");
    }
    return new Buffers.Input(name, source, type, shape, at);
  }

  /** The format that is said, else the one that the file's name ends with. */
  static Buffers.Format format(Parameters parameters, Located at, Optional<Path> file) {
    return at == null
        ? file.map(Buffers.Format::of).orElse(Buffers.Format.RAW)
        : parameters.choice(at, Buffers.Format.OF_ARRAYS, Buffers.Format::text);
  }

  static Optional<ElementType> type(Parameters parameters, Located at) {
    return Optional.ofNullable(at)
        .map(given -> parameters.choice(given, List.of(ElementType.values()), ElementType::text));
  }

  /** {@code step.buffer}, or {@code stream/step.buffer}. */
  private Buffers.Source from(Located at) {
    String text = parameters.text(at);
    int dot = text.lastIndexOf('.');
    if (dot < 1 || dot == text.length() - 1) {
      throw at.error("must be STEP.BUFFER, or STREAM/STEP.BUFFER");
    }
    return new Buffers.Source.OfStep(
        stepRef(stream, text.substring(0, dot)), text.substring(dot + 1));
  }

  static Buffers.StepRef stepRef(String stream, String text) {
    int slash = text.indexOf('/');
    return slash < 0
        ? new Buffers.StepRef(stream, text)
        : new Buffers.StepRef(text.substring(0, slash), text.substring(slash + 1));
  }

  private Buffers.Source values(Located at) {
    List<Buffers.Source.Number> numbers = new ArrayList<>();
    for (Located each : at.sequence(MAX_VALUES)) {
      String text = parameters.text(each);
      if (Numbers.exact(text).isEmpty() && Numbers.special(text).isEmpty()) {
        throw each.error("'" + text + "' is not a number");
      }
      numbers.add(new Buffers.Source.Number(text, each));
    }
    return new Buffers.Source.Values(List.copyOf(numbers));
  }

  private List<Buffers.Extent> shape(Located at) {
    List<Buffers.Extent> shape = new ArrayList<>();
    for (Located each : at.sequence(Dims.MAX)) {
      String text = parameters.text(each);
      if (text.matches(NAME)) {
        shape.add(new Buffers.Extent(Optional.of(text), OptionalLong.empty(), each));
        continue;
      }
      OptionalLong number = Numbers.whole(text);
      if (number.isEmpty() || number.getAsLong() < 0 || number.getAsLong() > Dims.MAX_BYTES) {
        throw each.error(
            "'" + text + "' is neither a name nor a number from 0 to " + Dims.MAX_BYTES);
      }
      shape.add(new Buffers.Extent(Optional.empty(), number, each));
    }
    return List.copyOf(shape);
  }
}
