package io.isle.apps.jobs.run;

import io.isle.apps.jobs.data.ElementType;
import io.isle.apps.jobs.kernel.Extents;
import io.isle.apps.jobs.spec.Buffers;
import io.isle.apps.jobs.spec.JobSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Opens the outputs of a step that works in pieces. Used by the stream's thread. */
final class StreamedSinks {
  private final StepRun run;
  private final JobSpec.Step step;
  private final Shape records;
  private final List<FileLane> files;
  private final Extents extents;
  private final Map<Integer, PieceCheck> checks;

  /**
   * @param records of buffers without names; null where the job file says their shapes
   * @param files of the step's lanes with input, in order; those of its inputs first
   * @param checks takes comparisons of pieces, by lane
   */
  StreamedSinks(
      StepRun run,
      Shape records,
      List<FileLane> files,
      Extents extents,
      Map<Integer, PieceCheck> checks) {
    this.run = run;
    this.step = run.step();
    this.records = records;
    this.files = files;
    this.extents = extents;
    this.checks = checks;
  }

  /**
   * Opens an output.
   *
   * @param shape its first extent is -1 while nobody knows it
   */
  Sink open(Buffers.Output output, ElementType type, List<Long> shape, int lane)
      throws InterruptedException {
    return records == null
        ? sink(output, type, shape, lane)
        : run.env().outputs().add(recordSink(output, shape));
  }

  private Sink recordSink(Buffers.Output output, List<Long> shape) throws InterruptedException {
    String job = run.env().jobId();
    if (records.sum()) {
      return new SumSink(step.name(), output, records.record(), job);
    }
    return output.format() == Buffers.Format.LINES
        ? new LineSink(step.name(), output, records.record(), job, run.env().observer())
        : new ArraySink(step.name(), output, ElementType.U8, shape, job);
  }

  private Sink sink(Buffers.Output output, ElementType type, List<Long> shape, int lane)
      throws InterruptedException {
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
    List<Buffers.Input> cut = step.buffers().cut();
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
}
