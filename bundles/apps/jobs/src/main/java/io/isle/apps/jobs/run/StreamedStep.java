package io.isle.apps.jobs.run;

import io.isle.api.base.Errno;
import io.isle.apps.jobs.data.ElementType;
import io.isle.apps.jobs.kernel.Extents;
import io.isle.apps.jobs.kernel.Invocation;
import io.isle.apps.jobs.spec.Buffers;
import io.isle.apps.jobs.spec.JobSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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

  private KernelAccess access;

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
    Invocation invocation = run.invocation();
    access = KernelAccess.of(run, invocation);
    records = buffers.named() ? null : Shape.check(step, invocation.arguments());
    try {
      open();
      Residents residents = new Residents(run, invocation, extents);
      for (int i = 0; i < cut.size(); i++) {
        input(cut.get(i), files.get(i), invocation);
      }
      outputs();
      if (buffers.named()) {
        invocation.arguments().checkTypes(buffers.names(), extents.types());
      }
      residents.checkBindings(lanes.size());
      openSinks();
      new StreamingStep(run.env(), run.stream(), plan(invocation, residents), run.clock())
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
      FileLane file = open(input);
      if (file.hasHeader()) {
        extents.bind(input, file.shape());
      }
    }
  }

  private FileLane open(Buffers.Input input) throws InterruptedException {
    FileLane file = new FileLane(input);
    files.add(file);
    if (step.runsAgain() && !file.isRegular()) {
      throw input.where().failure(Errno.EINVAL, "a step that is repeated needs a regular file");
    }
    if (file.hasHeader()) {
      file.openNow();
    }
    return file;
  }

  private void input(Buffers.Input input, FileLane file, Invocation invocation) {
    long row = row(input, file);
    boolean inPlace = buffers.output(input.name()).isPresent();
    boolean written = invocation.arguments().writes(buffers.names().indexOf(input.name()));
    lane(
        input.name(),
        inPlace
            ? Lane.inPlace(row)
            : Lane.in(row).withAccess(written ? access.dropped() : access.input()));
  }

  /** Takes the shape of a file; returns the bytes of a row. */
  private long row(Buffers.Input input, FileLane file) {
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
    return records == null ? Rows.bytes(input.where(), file.type(), shape) : records.unit();
  }

  /** Those that begin as a file come first: they are read, as inputs are. */
  private void outputs() throws InterruptedException {
    List<Buffers.Output> own =
        buffers.outputs().stream()
            .filter(output -> buffers.input(output.name()).isEmpty())
            .toList();
    for (Buffers.Output output : own) {
      if (InitialContents.file(output).isPresent()) {
        List<Long> shape = shape(output);
        Buffers.Input input =
            InitialContents.cut(output, type(output), symbol, shape.subList(1, shape.size()));
        lane(output.name(), Lane.inPlace(row(input, open(input))));
      }
    }
    for (Buffers.Output output : own) {
      extents.type(output.name(), type(output));
      if (InitialContents.file(output).isEmpty()) {
        lane(output.name(), out(output));
      }
    }
  }

  private void lane(String name, Lane lane) {
    lanes.add(lane);
    places.add(buffers.names().indexOf(name));
  }

  private Lane out(Buffers.Output output) {
    if (records != null) {
      return Lane.out(records.record(), records.sum());
    }
    Optional<Filling> filling = Filling.of(step.program().isKernel(), output, type(output));
    boolean byDevice = filling.isPresent() && filling.get().repeats();
    return Lane.out(Rows.bytes(output.where(), type(output), shape(output)))
        .withAccess(byDevice ? access.filled() : access.output())
        .filled(filling);
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
    StreamedSinks opening = new StreamedSinks(run, records, files, extents, checks);
    for (int lane = 0; lane < lanes.size(); lane++) {
      if (lanes.get(lane).out() > 0) {
        Buffers.Output output = buffers.output(buffers.names().get(places.get(lane))).orElseThrow();
        sinks.add(opening.open(output, type(output), shape(output), lane));
      }
    }
    if (step.verify()) {
      checks.put(1, Verification.of(step, records, run.env().measures().wrong));
    }
  }

  private StreamPlan plan(Invocation invocation, Residents residents) {
    long units = extents.knows(symbol) ? extents.value(symbol) : -1;
    Layout layout = new Layout(lanes, records != null);
    long bytes = units < 0 ? -1 : units * layout.inputBytes();
    return new StreamPlan(
        step,
        run.source(),
        layout,
        places,
        invocation,
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
