package io.isle.apps.jobs.run;

import io.isle.api.base.Errno;
import io.isle.api.jobs.JobException;
import io.isle.apps.jobs.data.Dims;
import io.isle.apps.jobs.data.ElementType;
import io.isle.apps.jobs.spec.Buffers;
import io.isle.apps.jobs.spec.JobSpec;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs a step with named buffers in pieces. Used by the stream's thread. */
final class NamedStreamed {
  private final StepRun run;
  private final JobSpec.Step step;
  private final Buffers buffers;
  private final String symbol;
  private final Extents extents = Extents.none();
  private final List<String> names;
  private final List<Lane> lanes = new ArrayList<>();
  private final List<Integer> lanePlaces = new ArrayList<>();
  private final List<FileLane> files = new ArrayList<>();
  private final List<Sink> sinks = new ArrayList<>();
  private final Map<Integer, PieceReference> references = new HashMap<>();
  private Constants constants;

  NamedStreamed(StepRun run) {
    this.run = run;
    this.step = run.step();
    this.buffers = step.buffers().orElseThrow();
    this.symbol = buffers.stream().orElseThrow();
    this.names = run.names();
  }

  void run(StepPacing pacing) throws InterruptedException {
    try {
      for (Buffers.Input input : cut()) {
        FileLane file = new FileLane(input);
        files.add(file);
        file.openNow();
        if (step.runsAgain() && !file.isRegular()) {
          throw input.where().failure(Errno.EINVAL, "a step that is repeated needs a regular file");
        }
      }
      for (int i = 0; i < files.size(); i++) {
        if (files.get(i).shape() != null) {
          extents.bind(cut().get(i), files.get(i).shape());
        }
      }
      constants = Constants.read(run, extents);
      for (int i = 0; i < files.size(); i++) {
        input(cut().get(i), files.get(i));
      }
      Arguments arguments = run.arguments();
      for (Buffers.Output output : buffers.outputs()) {
        if (buffers.input(output.name()).isEmpty()) {
          extents.type(output.name(), output.type().orElseThrow());
          lane(output.name(), Lane.out(row(output)));
        }
      }
      openSinks();
      new StreamingStep(run.env(), run.stream(), plan(arguments), run.clock())
          .run(pacing, step.repeat() == JobSpec.Step.UNTIL_FAULTS);
    } finally {
      files.forEach(PieceInput::closeOrLog);
    }
    run.releaseRead();
    for (Sink sink : sinks) {
      sink.finish();
    }
  }

  private List<Buffers.Input> cut() {
    return buffers.inputs().stream().filter(input -> buffers.isCut(input)).toList();
  }

  private void input(Buffers.Input input, FileLane file) {
    List<Buffers.Extent> said = input.shape().orElseThrow();
    List<Long> shape = file.shape();
    if (shape == null) {
      shape = new ArrayList<>(List.of(-1L));
      for (Buffers.Extent extent : said.subList(1, said.size())) {
        shape.add(
            extents
                .known(extent)
                .orElseThrow(
                    () -> extent.where().failure(Errno.EINVAL, "is not known before the end")));
      }
      long row = rowBytes(input.where()::failure, file.type(), shape);
      long bytes = file.bytes();
      if (bytes >= 0 && bytes % row != 0) {
        throw input
            .where()
            .failure(
                Errno.EINVAL,
                file.path() + " has " + bytes + " bytes, no multiple of the " + row + " of a row");
      }
      shape.set(0, bytes < 0 ? -1 : bytes / row);
    }
    if (shape.isEmpty() || shape.size() != said.size()) {
      throw input
          .where()
          .failure(
              Errno.EINVAL,
              "has " + shape.size() + " dimensions in the file, " + said.size() + " here");
    }
    if (shape.getFirst() >= 0) {
      extents.bind(input, shape);
    } else {
      extents.bindInner(input, shape);
    }
    extents.type(input.name(), file.type());
    long row = rowBytes(input.where()::failure, file.type(), shape);
    boolean inPlace = buffers.output(input.name()).isPresent();
    lane(input.name(), inPlace ? Lane.inPlace(row) : Lane.in(row));
  }

  /** Makes an error at some place. */
  private interface Failing {
    JobException of(int code, String message);
  }

  private static long rowBytes(Failing where, ElementType type, List<Long> shape) {
    try {
      long row = Dims.elements(shape.subList(1, shape.size())) * type.bytes();
      if (row > 0) {
        return row;
      }
    } catch (ArithmeticException e) {
      throw where.of(Errno.EINVAL, "a row has " + e.getMessage());
    }
    throw where.of(Errno.EINVAL, "a row has no elements");
  }

  private void lane(String name, Lane lane) {
    lanes.add(lane);
    lanePlaces.add(names.indexOf(name));
  }

  private long row(Buffers.Output output) {
    return rowBytes(output.where()::failure, output.type().orElseThrow(), shape(output));
  }

  /** The first extent is -1 while nobody knows it. */
  private List<Long> shape(Buffers.Output output) {
    List<Long> shape = new ArrayList<>();
    shape.add(extents.knows(symbol) ? extents.value(symbol) : -1L);
    if (output.shape().isPresent()) {
      List<Buffers.Formula> formulas = output.shape().get();
      shape.addAll(extents.shape(formulas.subList(1, formulas.size())));
    } else {
      Buffers.Input input = buffers.input(output.name()).orElseThrow();
      List<Buffers.Extent> said = input.shape().orElseThrow();
      said.subList(1, said.size())
          .forEach(extent -> shape.add(extents.known(extent).orElseThrow()));
    }
    return shape;
  }

  /** In the order of the lanes. */
  private void openSinks() throws InterruptedException {
    for (int lane = 0; lane < lanes.size(); lane++) {
      Optional<Buffers.Output> found = buffers.output(names.get(lanePlaces.get(lane)));
      if (found.isEmpty()) {
        continue;
      }
      Buffers.Output output = found.get();
      ElementType type =
          output
              .type()
              .orElseGet(() -> buffers.input(output.name()).orElseThrow().type().orElseThrow());
      List<Long> shape = shape(output);
      ArraySink sink = new ArraySink(step.name(), output, type, shape, run.env().jobId());
      Sink outer = sink;
      run.add(sink);
      if (output.expect().isPresent()) {
        ElementCheck check = new ElementCheck(step.name(), output, type, shape);
        if (output.expect().get().file().isPresent()) {
          sink.expect(
              Expected.file(
                  check, output.expect().get(), run.env().arrays(), run.env().arrays().open()));
        } else {
          references.put(lane, reference(check, output.expect().get()));
        }
      }
      if (output.merge()) {
        outer = new MergeSink(type, sink, output.file().orElseThrow());
        run.replace(sink, outer);
      }
      sinks.add(outer);
    }
  }

  /** Cut inputs are the first lanes, in order. */
  private PieceReference reference(ElementCheck check, Buffers.Expect expect) {
    List<PieceReference.In> inputs = new ArrayList<>();
    int lane = 0;
    for (Buffers.Input input : buffers.inputs()) {
      if (buffers.isCut(input)) {
        List<Long> row = new ArrayList<>();
        List<Buffers.Extent> said = input.shape().orElseThrow();
        said.subList(1, said.size()).forEach(one -> row.add(extents.known(one).orElseThrow()));
        inputs.add(new PieceReference.In.Cut(lane, files.get(lane).type(), row));
        lane++;
      } else {
        inputs.add(new PieceReference.In.Whole(constants.array(input.name())));
      }
    }
    List<String> inputNames = buffers.inputs().stream().map(Buffers.Input::name).toList();
    return new PieceReference(check, new ScalarReference(expect, inputNames), inputs);
  }

  private void check(int lane, Chunk chunk, MemorySegment found) throws InterruptedException {
    PieceReference reference = references.get(lane);
    if (reference != null) {
      reference.check(chunk, found);
    }
  }

  private StreamPlan plan(Arguments arguments) {
    long units = extents.knows(symbol) ? extents.value(symbol) : -1;
    Layout layout = new Layout(lanes, false);
    return new StreamPlan(
        step,
        run.source(),
        layout,
        lanePlaces,
        arguments,
        constants.residents(),
        (pass, pacing, pieces) -> pass == 0 ? files : cut().stream().map(FileLane::new).toList(),
        units,
        units < 0 ? -1 : units * layout.inputBytes(),
        chunk -> chunk.units,
        sinks,
        extents,
        references.isEmpty() ? Optional.empty() : Optional.of(this::check));
  }
}
