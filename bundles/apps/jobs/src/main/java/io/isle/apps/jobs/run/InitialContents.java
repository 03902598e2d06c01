package io.isle.apps.jobs.run;

import io.isle.apps.jobs.data.ElementType;
import io.isle.apps.jobs.data.HostArray;
import io.isle.apps.jobs.kernel.Extents;
import io.isle.apps.jobs.spec.Buffers;
import io.isle.apps.jobs.spec.Initial;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** What outputs hold before the program where that is more than the device can fill in. */
final class InitialContents {
  private InitialContents() {}

  /**
   * Those of an output that is on the device as a whole: of a file, or a number of 64 bits.
   *
   * @param filling the number of its elements, if it is one
   * @throws io.isle.api.jobs.JobException when the file has another type or shape
   */
  static Optional<HostArray> of(
      StepRun run,
      Buffers.Output output,
      Optional<Filling> filling,
      ElementType type,
      List<Long> shape,
      Arena arena)
      throws InterruptedException {
    if (file(output).isPresent()) {
      List<Buffers.Extent> extents = shape.stream().map(extent -> number(extent, output)).toList();
      return Optional.of(
          new WholeInputs(Extents.none(), run.stream().memory(), run.env().arrays(), arena)
              .read(input(output, type, extents)));
    }
    if (filling.isEmpty() || filling.get().repeats()) {
      return Optional.empty();
    }
    HostArray array = HostArray.allocate(arena, type, shape);
    filling.get().write(array.bytes());
    return Optional.of(array);
  }

  /** Whether they are those of a file. */
  static Optional<Initial.OfFile> file(Buffers.Output output) {
    return output
        .initial()
        .filter(Initial.OfFile.class::isInstance)
        .map(Initial.OfFile.class::cast);
  }

  /**
   * The file as an input of a step that works in pieces.
   *
   * @param stream name of the extent along which the step is cut
   * @param row the other extents
   */
  static Buffers.Input cut(Buffers.Output output, ElementType type, String stream, List<Long> row) {
    List<Buffers.Extent> extents = new ArrayList<>();
    extents.add(new Buffers.Extent(Optional.of(stream), OptionalLong.empty(), output.where()));
    row.forEach(extent -> extents.add(number(extent, output)));
    return input(output, type, extents);
  }

  private static Buffers.Extent number(long value, Buffers.Output output) {
    return new Buffers.Extent(Optional.empty(), OptionalLong.of(value), output.where());
  }

  private static Buffers.Input input(
      Buffers.Output output, ElementType type, List<Buffers.Extent> extents) {
    Initial.OfFile file = file(output).orElseThrow();
    return new Buffers.Input(
        output.name(),
        new Buffers.Source.OfFile(file.file(), file.format()),
        Optional.of(type),
        Optional.of(extents),
        output.where());
  }
}
