package io.isle.apps.jobs.spec;

import java.util.List;

/** What must hold for the buffers of a step that is cut into pieces. */
final class StreamedBuffers {
  private StreamedBuffers() {}

  static void check(Buffers buffers, String symbol) {
    for (Buffers.Input input : buffers.inputs()) {
      boolean cut = buffers.isCut(input);
      boolean fromFile = input.source() instanceof Buffers.Source.OfFile;
      if (cut && !fromFile) {
        throw input.where().error("is cut along '" + symbol + "', so the input must be a file");
      }
      if (cut
          && input.source() instanceof Buffers.Source.OfFile file
          && file.format() == Buffers.Format.PNG) {
        throw input.where().error("an image cannot be read in pieces; leave 'stream' out");
      }
      if (cut && input.type().isEmpty()) {
        throw input.where().error("needs 'type': the input is cut along '" + symbol + "'");
      }
      inner(input.shape().orElse(List.of()), symbol);
    }
    for (Buffers.Output output : buffers.outputs()) {
      check(buffers, output, symbol);
    }
  }

  private static void check(Buffers buffers, Buffers.Output output, String symbol) {
    boolean cut =
        output
            .shape()
            .map(shape -> !shape.isEmpty() && shape.getFirst().text().equals(symbol))
            .orElseGet(() -> buffers.isCut(buffers.input(output.name()).orElseThrow()));
    if (!cut) {
      throw output
          .where()
          .error(
              "must have '" + symbol + "' as its first extent: the step is cut along that extent");
    }
    for (Buffers.Formula formula : output.shape().map(StreamedBuffers::tail).orElse(List.of())) {
      if (formula.value().names().contains(symbol)) {
        throw formula.where().error("only the first extent can be cut along '" + symbol + "'");
      }
    }
    merge(buffers, output);
    if (output.initial().isPresent()
        && output.initial().get() instanceof Initial.OfFile file
        && file.format() == Buffers.Format.PNG) {
      throw output
          .where()
          .error("'initial': an image cannot be read in pieces; leave 'stream' out");
    }
    if (output.format() == Buffers.Format.PNG) {
      throw output.where().error("an image cannot be written in pieces; leave 'stream' out");
    }
    output
        .expect()
        .flatMap(Buffers.Expect::value)
        .ifPresent(formula -> check(buffers, formula, symbol));
  }

  /** Whether what a formula names goes through in pieces, as the output does. */
  private static void check(Buffers buffers, Buffers.Formula formula, String symbol) {
    for (String name : formula.value().names()) {
      if (!buffers.isCut(buffers.input(name).orElseThrow())) {
        throw formula
            .where()
            .error(
                "'"
                    + name
                    + "' is the same for each piece; name only inputs that are cut along '"
                    + symbol
                    + "'");
      }
    }
  }

  private static <T> List<T> tail(List<T> list) {
    return list.subList(1, list.size());
  }

  private static void merge(Buffers buffers, Buffers.Output output) {
    int dimensions =
        output
            .shape()
            .map(List::size)
            .orElseGet(
                () -> buffers.input(output.name()).orElseThrow().shape().orElseThrow().size());
    if (output.merge() && (output.file().isEmpty() || dimensions != 1)) {
      throw output.where().error("'merge' needs a file and one dimension");
    }
  }

  private static void inner(List<Buffers.Extent> shape, String symbol) {
    for (int i = 1; i < shape.size(); i++) {
      if (shape.get(i).symbol().filter(symbol::equals).isPresent()) {
        throw shape.get(i).where().error("only the first extent can be cut along '" + symbol + "'");
      }
    }
  }
}
