package io.isle.apps.jobs.run;

import io.isle.api.base.Errno;
import io.isle.apps.jobs.data.ElementType;
import io.isle.apps.jobs.spec.Buffers;
import io.isle.apps.jobs.spec.JobSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs a step whose input goes through in pieces. Used by the stream's thread. */
final class StreamedStep {
  private final StepRun run;
  private final JobSpec.Step step;
  private final Buffers buffers;
  private final String symbol;
  private final Extents extents = Extents.none();
  private final List<Buffers.Input> cut;
  private final List<FileLane> files = new ArrayList<>();
  private final List<Lane> lanes = new ArrayList<>();
  private final List<Integer> places = new ArrayList<>();
  private final List<Sink> sinks = new ArrayList<>();
  private final Map<Integer, PieceCheck> checks = new HashMap<>();

  /** Of buffers without names; null where the job file says their shapes. */
  private Shape records;

  StreamedStep(StepRun run) {
    this.run = run;
    this.step = run.step();
    this.buffers = step.buffers();
    this.symbol = buffers.stream().orElseThrow();
    this.cut = buffers.cut();
  }

  void run(StepPacing pacing) throws InterruptedException {
    Arguments arguments = run.arguments();
    records = buffers.named() ? null : Shape.check(step, arguments);
    try {
      open();
      Residents residents = new Residents(run, extents);
      for (int i = 0; i < files.size(); i++) {
        input(cut.get(i), files.get(i));
      }
      for (Buffers.Output output : buffers.outputs()) {
        if (buffers.input(output.name()).isEmpty()) {
          extents.type(output.name(), type(output));
          lane(output.name(), out(output));
        }
      }
      openSinks();
      new StreamingStep(run.env(), run.stream(), plan(arguments, residents), run.clock())
          .run(pacing, step.repeat() == JobSpec.Step.UNTIL_FAULTS);
    } finally {
      files.forEach(PieceInput::closeOrLog);
    }
    run.releaseRead();
    for (Sink sink : sinks) {
      sink.finish();
    }
  }

  private void open() throws InterruptedException {
    for (Buffers.Input input : cut) {
      FileLane file = new FileLane(input);
      files.add(file);
      if (step.runsAgain() && !file.isRegular()) {
        throw input.where().failure(Errno.EINVAL, "a step that is repeated needs a regular file");
      }
      if (file.hasHeader()) {
        file.openNow();
        extents.bind(input, file.shape());
      }
    }
  }

  private void input(Buffers.Input input, FileLane file) {
    List<Long> shape = file.shape();
    if (shape == null) {
      shape = new ArrayList<>(List.of(-1L));
      shape.addAll(extents.inner(input));
      if (file.bytes() >= 0) {
        shape.set(
            0,
            records == null
                ? Rows.count(input, file, Rows.bytes(input.where(), file.type(), shape))
                : records.units(file.bytes()));
      }
    }
    if (shape.isEmpty() || shape.size() != input.shape().orElseThrow().size()) {
      throw input
          .where()
          .failure(
              Errno.EINVAL,
              "has "
                  + shape.size()
                  + " dimensions in the file, but "
                  + input.shape().orElseThrow().size()
                  + " in the job file");
    }
    if (shape.getFirst() >= 0) {
      extents.bind(input, shape);
    } else {
      extents.bindInner(input, shape);
    }
    extents.type(input.name(), file.type());
    long row = records == null ? Rows.bytes(input.where(), file.type(), shape) : records.unit();
    boolean inPlace = buffers.output(input.name()).isPresent();
    lane(input.name(), inPlace ? Lane.inPlace(row) : Lane.in(row));
  }

  private void lane(String name, Lane lane) {
    lanes.add(lane);
    places.add(buffers.names().indexOf(name));
  }

  private Lane out(Buffers.Output output) {
    return records == null
        ? Lane.out(Rows.bytes(output.where(), type(output), shape(output)))
        : new Lane(0, records.record(), records.sum());
  }

  private ElementType type(Buffers.Output output) {
    return buffers
        .input(output.name())
        .flatMap(Buffers.Input::type)
        .or(output::type)
        .orElse(ElementType.U8);
  }

  /** The first extent is -1 while nobody knows it. */
  private List<Long> shape(Buffers.Output output) {
    List<Long> shape = new ArrayList<>();
    shape.add(extents.knows(symbol) ? extents.value(symbol) : -1L);
    if (records != null) {
      shape.add((long) records.record());
    } else if (output.shape().isPresent()) {
      List<Buffers.Formula> formulas = output.shape().get();
      shape.addAll(extents.shape(formulas.subList(1, formulas.size())));
    } else {
      shape.addAll(extents.inner(buffers.input(output.name()).orElseThrow()));
    }
    return shape;
  }

  /** In the order of the lanes. */
  private void openSinks() throws InterruptedException {
    for (int lane = 0; lane < lanes.size(); lane++) {
      if (lanes.get(lane).out() > 0) {
        Buffers.Output output = buffers.output(buffers.names().get(places.get(lane))).orElseThrow();
        sinks.add(
            records == null ? sink(lane, output) : run.env().outputs().add(recordSink(output)));
      }
    }
    if (step.verify()) {
      checks.put(1, Verification.of(step, records, run.env().measures().wrong));
    }
  }

  private Sink recordSink(Buffers.Output output) throws InterruptedException {
    String job = run.env().jobId();
    if (records.sum()) {
      return new SumSink(step.name(), output, records.record(), job);
    }
    return output.format() == Buffers.Format.LINES
        ? new LineSink(step.name(), output, records.record(), job, run.env().observer())
        : new ArraySink(step.name(), output, ElementType.U8, shape(output), job);
  }

  private Sink sink(int lane, Buffers.Output output) throws InterruptedException {
    ElementType type = type(output);
    List<Long> shape = shape(output);
    ArraySink sink = new ArraySink(step.name(), output, type, shape, run.env().jobId());
    run.env().outputs().add(sink);
    if (output.expect().isPresent()) {
      Buffers.Expect expect = output.expect().get();
      ElementCheck check = new ElementCheck(step.name(), output, type, shape);
      if (expect.file().isPresent()) {
        sink.expect(Expected.file(check, expect, run.env().arrays(), run.env().arrays().open()));
      } else {
        checks.put(lane, reference(check, expect.value().orElseThrow()));
      }
    }
    if (!output.merge()) {
      return sink;
    }
    MergeSink merging = new MergeSink(type, sink, output.file().orElseThrow());
    run.env().outputs().replace(sink, merging);
    return merging;
  }

  /** Inputs that are cut are the first lanes, in order. */
  private PieceCheck reference(ElementCheck check, Buffers.Formula formula) {
    Map<String, PieceReference.Cut> inputs = new LinkedHashMap<>();
    for (int lane = 0; lane < cut.size(); lane++) {
      Buffers.Input input = cut.get(lane);
      if (formula.value().names().contains(input.name())) {
        inputs.put(
            input.name(),
            new PieceReference.Cut(lane, files.get(lane).type(), extents.inner(input)));
      }
    }
    return new PieceReference(check, formula, inputs)::check;
  }

  private StreamPlan plan(Arguments arguments, Residents residents) {
    long units = extents.knows(symbol) ? extents.value(symbol) : -1;
    Layout layout = new Layout(lanes, records != null);
    long bytes = units < 0 ? -1 : units * layout.inputBytes();
    return new StreamPlan(
        step,
        run.source(),
        layout,
        places,
        arguments,
        residents,
        files,
        units,
        records == null ? bytes : files.getFirst().bytes(),
        records == null ? chunk -> chunk.units : chunk -> records.blocks(chunk.length()),
        sinks,
        extents,
        checks);
  }
}
