package io.isle.spin.jobs;

import io.isle.api.base.Errno;
import io.isle.api.jobs.ActionStep;
import io.isle.api.jobs.JobException;
import io.isle.api.spin.ContextSpec;
import io.isle.api.spin.HandlerBuilds;
import io.isle.api.spin.HandlerRuns;
import io.isle.api.spin.RunResult;
import io.isle.api.spin.RunSpec;
import io.isle.lib.packet.capture.CaptureReader;
import java.io.IOException;
import java.util.Optional;

/** One run of a step. {@link #run} is called once. */
final class SpinStep {
  private final HandlerRuns runs;
  private final HandlerBuilds builds;
  private final ActionStep step;

  SpinStep(HandlerRuns runs, HandlerBuilds builds, ActionStep step) {
    this.runs = runs;
    this.builds = builds;
    this.step = step;
  }

  void run() throws IOException, InterruptedException {
    ContextSpec context = StepSpec.of(step, builds);
    RunSpec spec = new RunSpec(Optional.of(step.device()), context);
    String name = step.values().text(SpinAction.CAPTURE);
    try (CaptureReader reader = CaptureReader.open(step.read(SpinAction.CAPTURE), name)) {
      StepObserver observer = new StepObserver(step, reader);
      RunResult result = runs.run(step.capability(), spec, observer, observer);
      observer.finish();
      RunMeasures.set(step, result);
      check(result);
    }
  }

  private void check(RunResult result) {
    if (!result.stopped().isEmpty()) {
      throw JobException.failed(Errno.ECANCELED, result.stopped(), null);
    }
    boolean counted = step.values().text(SpinAction.TRAPS).equals(SpinAction.COUNT);
    if (result.traps() > 0 && !counted) {
      throw JobException.failed(
          Errno.EINVAL,
          "handlers have not returned: "
              + result.traps()
              + "; with 'traps: count', they are a measure only",
          null);
    }
  }
}
