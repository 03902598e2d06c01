package io.isle.apps.jobs.run;

import io.isle.api.accel.ContextSpec;
import io.isle.api.device.Priority;
import io.isle.apps.jobs.spec.ActionCall;
import io.isle.apps.jobs.spec.Buffers;
import io.isle.apps.jobs.spec.JobSpec;
import java.util.HashMap;
import java.util.Map;

/**
 * Runs the steps of one stream, in order, in a context of its own on each device that they name.
 */
final class StreamRun {
  private final Env env;
  private final JobSpec.Stream spec;
  private final Map<String, StreamContext> contexts = new HashMap<>();

  StreamRun(Env env, JobSpec.Stream spec) {
    this.env = env;
    this.spec = spec;
  }

  void run() throws InterruptedException {
    try {
      for (JobSpec.Step step : spec.steps()) {
        for (JobSpec.After after : step.after()) {
          env.results().await(after.step());
        }
        Buffers.StepRef ref = spec.ref(step);
        if (step.action().isPresent()) {
          action(step.action().get(), ref);
        } else {
          step(context(env.placement().tenant(ref)), step, ref);
        }
        env.results().done(ref);
      }
    } finally {
      contexts.values().forEach(StreamContext::close);
    }
  }

  private StreamContext context(Tenant tenant) throws InterruptedException {
    StreamContext open = contexts.get(tenant.device());
    if (open == null) {
      open = new StreamContext(env.on(tenant), spec.group(), contextSpec(tenant));
      contexts.put(tenant.device(), open);
      open.open();
    }
    return open;
  }

  private ContextSpec contextSpec(Tenant tenant) {
    ContextSpec named =
        ContextSpec.named(env.jobId() + ":" + spec.name())
            .withPriority(spec.priority().orElse(null))
            .withKeepPending(spec.replays());
    named = named.withQueue(named.queueDepth(), EnvelopeBytes.of(spec, tenant.maxCommandBytes()));
    if (spec.maxExecutionUs().isPresent()) {
      named = named.withMaxExecutionUs(spec.maxExecutionUs().getAsLong());
    }
    JobSpec.Guarantee own = spec.guarantee().orElse(null);
    return own == null ? named : named.withGuarantee(own.quotaUs(), own.periodUs());
  }

  private void step(StreamContext stream, JobSpec.Step step, Buffers.StepRef ref)
      throws InterruptedException {
    Env here = env.on(env.placement().tenant(ref));
    String priority = stream.context().info().priority().text();
    StepClock clock = env.clocks().begin(spec.name(), step.name(), here.device(), priority);
    stream.clock(clock);
    StepRun run =
        new StepRun(
            here, stream, step, ref, clock, () -> env.measuring().periodic(spec, step, priority));
    try (StepPacing pacing =
        new StepPacing(
            step,
            spec.group(),
            stream,
            clock,
            env.measuring().barrier(step),
            pass -> again(step, pass))) {
      if (step.buffers().stream().isPresent()) {
        new StreamedStep(run).run(pacing);
      } else if (step.buffers().named()) {
        new WholeStep(run).run(pacing);
      } else {
        new UnbufferedStep(run).run(pacing);
      }
    }
    clock.end();
  }

  /** Opens no context: an action that wants one opens its own. */
  private void action(ActionCall call, Buffers.StepRef ref) throws InterruptedException {
    Env here = env.on(env.placement().tenant(ref));
    String priority = spec.priority().orElse(Priority.NORMAL).text();
    StepClock clock = env.clocks().begin(ref.stream(), ref.step(), here.device(), priority);
    new ActionRun(here, call, spec.group(), ref, clock).run();
    clock.end();
  }

  private boolean again(JobSpec.Step step, int pass) {
    return step.repeat() == JobSpec.Step.UNTIL_FAULTS
        ? pass == 0 || !env.faults().over()
        : pass < step.repeat();
  }
}
