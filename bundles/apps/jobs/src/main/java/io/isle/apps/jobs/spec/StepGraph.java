package io.isle.apps.jobs.spec;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which step waits for which, over all streams: every reference leads somewhere, none in a ring.
 */
final class StepGraph {
  private final Map<Buffers.StepRef, JobSpec.Step> steps = new HashMap<>();
  private final Map<Buffers.StepRef, List<Buffers.StepRef>> before = new HashMap<>();
  private final Set<Buffers.StepRef> open = new HashSet<>();
  private final Set<Buffers.StepRef> done = new HashSet<>();

  private StepGraph(List<JobSpec.Stream> streams) {
    for (JobSpec.Stream stream : streams) {
      Buffers.StepRef last = null;
      for (JobSpec.Step step : stream.steps()) {
        Buffers.StepRef ref = new Buffers.StepRef(stream.name(), step.name());
        steps.put(ref, step);
        List<Buffers.StepRef> waits = new ArrayList<>();
        if (last != null) {
          waits.add(last);
        }
        step.after().forEach(after -> waits.add(after.step()));
        before.put(ref, waits);
        last = ref;
      }
    }
  }

  /**
   * Checks the references of all steps.
   *
   * @throws io.isle.api.jobs.JobException naming the reference
   */
  static void check(List<JobSpec.Stream> streams) {
    StepGraph graph = new StepGraph(streams);
    for (JobSpec.Stream stream : streams) {
      for (JobSpec.Step step : stream.steps()) {
        step.after().forEach(after -> graph.exists(after.step(), after.where()));
        step.buffers().ifPresent(buffers -> buffers.inputs().forEach(graph::from));
      }
    }
    graph.steps.keySet().forEach(graph::visit);
  }

  private void exists(Buffers.StepRef ref, Located where) {
    if (!steps.containsKey(ref)) {
      throw where.error("there is no step '" + ref.text() + "'; write STREAM/STEP, or STEP");
    }
  }

  private void from(Buffers.Input input) {
    if (!(input.source() instanceof Buffers.Source.OfStep source)) {
      return;
    }
    exists(source.step(), input.where());
    Buffers made =
        steps
            .get(source.step())
            .buffers()
            .orElseThrow(() -> input.where().error(source.step().text() + " has no named buffers"));
    if (made.output(source.buffer()).isEmpty()) {
      throw input.where().error(source.step().text() + " has no output '" + source.buffer() + "'");
    }
    if (made.stream().isPresent()) {
      throw input
          .where()
          .error(source.step().text() + " is cut into pieces; its results are only in files");
    }
  }

  private void visit(Buffers.StepRef ref) {
    if (done.contains(ref)) {
      return;
    }
    if (!open.add(ref)) {
      throw steps.get(ref).where().error("the steps wait for each other in a ring: " + ref.text());
    }
    before.get(ref).forEach(this::visit);
    done.add(ref);
  }
}
