package io.isle.apps.jobs.run;

import io.isle.api.base.Errno;
import io.isle.apps.jobs.data.FormatException;
import io.isle.apps.jobs.data.HostArray;
import io.isle.apps.jobs.kernel.Extents;
import io.isle.apps.jobs.kernel.Invocation;
import io.isle.apps.jobs.spec.Buffers;
import io.isle.apps.jobs.spec.JobSpec;
import io.isle.apps.jobs.spec.Loop;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs a step with named buffers as a whole. Used by the stream's thread. */
final class WholeStep {
  private final StepRun run;
  private final JobSpec.Step step;
  private final Buffers buffers;
  private final Extents extents = Extents.none();

  /** Of all that the step has in the JVM's memory. */
  private final Arena arena;

  /** Inputs that no crash of a device takes. */
  private final Map<String, HostInput> hosts = new HashMap<>();

  private final Map<String, ArraySink> sinks = new HashMap<>();
  private final List<Part> parts = new ArrayList<>();
  private WholeWork whole;

  WholeStep(StepRun run) {
    this.run = run;
    this.step = run.step();
    this.buffers = step.buffers();
    this.arena = run.env().arrays().open();
  }

  void run(StepPacing pacing) throws InterruptedException {
    readInputs();
    WholeWork.Computation computation =
        step.loop().isPresent() ? loop(step.loop().get()) : dispatch();
    whole = new WholeWork(run, computation, parts);
    for (Buffers.Output output : buffers.outputs()) {
      openSink(output);
    }
    long bytes = hosts.values().stream().mapToLong(HostInput::bytes).sum();
    pacing.begin();
    pacing.filled();
    for (int pass = 0; pass == 0 || pacing.again(pass); pass++) {
      whole.compute();
      run.env().measures().finished(bytes, 1);
      run.clock().finished(bytes);
      run.env().observer().progress(bytes, bytes);
    }
    pacing.over();
    for (Buffers.Output output : buffers.outputs()) {
      deliver(output);
    }
    release();
  }

  private WholeWork.Computation dispatch() throws InterruptedException {
    Invocation invocation = run.invocation();
    add(WholeParts.Rules.of(run, invocation));
    invocation.arguments().checkTypes(buffers.names(), extents.types());
    return new OneDispatch(run, invocation.at(extents, 1), KernelAccess.of(run, invocation), parts);
  }

  private WholeWork.Computation loop(Loop loop) throws InterruptedException {
    LoopResolver resolver = new LoopResolver(run, loop, extents);
    add(resolver.rules());
    return resolver.work(parts, arena);
  }

  private void add(WholeParts.Rules rules) throws InterruptedException {
    parts.addAll(new WholeParts(run, rules, extents, hosts, arena).all());
    parts.forEach(part -> extents.type(part.name(), part.type()));
  }

  private void readInputs() throws InterruptedException {
    WholeInputs reader = new WholeInputs(extents, run.stream().memory(), run.env().arrays(), arena);
    for (Buffers.Input input : WholeInputs.inOrder(buffers.inputs())) {
      if (input.source() instanceof Buffers.Source.OfStep source) {
        Results.Made made = run.env().results().get(source);
        made.bind(input, extents);
        made.host().ifPresent(host -> hosts.put(input.name(), new HostInput.InMemory(host)));
      } else {
        boolean computed = isComputedWith(input.name());
        hosts.put(
            input.name(),
            computed ? new HostInput.InMemory(reader.read(input)) : reader.open(input));
      }
    }
  }

  /** Whether an expectation is computed from it, for which it must not change any more. */
  private boolean isComputedWith(String input) {
    return buffers.outputs().stream()
        .flatMap(output -> output.expect().flatMap(Buffers.Expect::value).stream())
        .anyMatch(formula -> formula.value().names().contains(input));
  }

  private Part part(String name) {
    return parts.stream().filter(part -> part.name().equals(name)).findFirst().orElseThrow();
  }

  private void openSink(Buffers.Output output) throws InterruptedException {
    if (output.file().isPresent() || output.expect().isPresent()) {
      Part part = part(output.name());
      ArraySink sink =
          new ArraySink(step.name(), output, part.type(), part.shape(), run.env().jobId());
      run.env().outputs().add(sink);
      sinks.put(output.name(), sink);
    }
  }

  private void deliver(Buffers.Output output) throws InterruptedException {
    Part part = part(output.name());
    part.resident().remake(whole.again());
    ArraySink sink = sinks.get(output.name());
    boolean elsewhere = run.env().results().isReadElsewhere(run.ref(), output.name());
    if (sink != null && !elsewhere && output.expect().isEmpty() && sink.canRepeat()) {
      whole.show(part, sink::again);
      sink = null;
    }
    Optional<HostArray> host =
        sink != null || elsewhere ? Optional.of(whole.download(part, arena)) : Optional.empty();
    if (sink != null) {
      Optional<Expected> expected = expected(output, part);
      expected.ifPresent(sink::expect);
      sink.whole(host.orElseThrow());
    }
    run.env()
        .results()
        .put(
            run.ref(),
            output.name(),
            new Results.Made(part.type(), part.shape(), run.stream(), part.resident(), host));
  }

  private Optional<Expected> expected(Buffers.Output output, Part part)
      throws InterruptedException {
    if (output.expect().isEmpty()) {
      return Optional.empty();
    }
    Buffers.Expect expect = output.expect().get();
    ElementCheck check = new ElementCheck(step.name(), output, part.type(), part.shape());
    if (expect.file().isPresent()) {
      return Optional.of(Expected.file(check, expect, run.env().arrays(), arena));
    }
    Buffers.Formula formula = expect.value().orElseThrow();
    Map<String, HostArray> inputs = new LinkedHashMap<>();
    for (Buffers.Input input : buffers.inputs()) {
      if (formula.value().names().contains(input.name())) {
        HostArray host =
            hosts.get(input.name()) instanceof HostInput.InMemory memory ? memory.array() : null;
        inputs.put(
            input.name(), host != null ? host : whole.download(part(input.name()).before(), arena));
      }
    }
    try {
      return Optional.of(Expected.array(check, ElementFormula.compute(formula, inputs, arena)));
    } catch (FormatException e) {
      throw check.failure(Errno.EINVAL, e.getMessage());
    }
  }

  /** What no later step reads gives its memory back. */
  private void release() {
    whole.releaseInputs();
    run.releaseRead();
    boolean read = false;
    for (Buffers.Output output : buffers.outputs()) {
      boolean near = run.env().results().near(run.ref(), output.name()) > 0;
      if (!near) {
        part(output.name()).resident().release();
      }
      read |= near || run.env().results().isReadElsewhere(run.ref(), output.name());
    }
    if (!read) {
      // else until the job's end: what is lost is made again from the inputs
      arena.close();
    }
  }
}
