package io.isle.apps.jobs.fault;

import io.isle.api.base.Errno;
import io.isle.api.jobs.ActionStep;
import io.isle.api.jobs.JobAction;
import io.isle.api.jobs.JobException;
import io.isle.apps.jobs.platform.Providers;
import io.isle.apps.jobs.spec.Buffers;
import io.isle.apps.jobs.spec.JobParser;
import io.isle.apps.jobs.spec.JobSpec;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The steps of one job that are actions: which run, and what they measured. Thread-safe. */
public final class ActionBook {
  private final Providers<JobAction> actions;

  private record Running(JobAction action, ActionStep step) {}

  private final Map<Buffers.StepRef, Running> running = new HashMap<>();
  private final Set<Buffers.StepRef> over = new HashSet<>();
  private final Map<String, Double> measured = new HashMap<>();

  public ActionBook(Providers<JobAction> actions) {
    this.actions = actions;
  }

  public Providers<JobAction> actions() {
    return actions;
  }

  public synchronized void begin(Buffers.StepRef step, JobAction action, ActionStep run) {
    running.put(step, new Running(action, run));
    notifyAll();
  }

  public synchronized void end(Buffers.StepRef step) {
    running.remove(step);
    over.add(step);
    notifyAll();
  }

  public synchronized void measure(Buffers.StepRef step, String name, double value) {
    measured.put(JobParser.stepMeasure(step.step(), name), value);
  }

  /** By the names that claims use. */
  public synchronized Map<String, Double> measured() {
    return Map.copyOf(measured);
  }

  /**
   * Brings a fault about in a step, as soon as the step runs.
   *
   * @throws JobException when the step is over, or its kind refuses
   */
  public void inject(JobSpec.Fault fault) throws InterruptedException {
    Buffers.StepRef step = fault.step().orElseThrow();
    Running run = await(step);
    JobAction action = run.action();
    if (!actions.begin(action)) {
      throw gone(action);
    }
    boolean gone;
    try {
      action.fault(run.step(), fault.fault(), fault.count(), fault.value());
    } finally {
      gone = actions.end();
    }
    if (gone) {
      throw gone(action);
    }
  }

  private synchronized Running await(Buffers.StepRef step) throws InterruptedException {
    while (!running.containsKey(step)) {
      if (over.contains(step)) {
        throw JobException.failed(Errno.ENOENT, "the step " + step.text() + " has ended", null);
      }
      wait();
    }
    return running.get(step);
  }

  /** The bundle of a kind was stopped. */
  public static JobException gone(JobAction action) {
    return JobException.failed(
        Errno.ECLOSED,
        "the bundle that provides steps of the kind '"
            + action.key()
            + "' was stopped; start the bundle and run the job again",
        null);
  }
}
