package io.isle.apps.jobs.run;

import io.isle.api.accel.CommandWriter;
import io.isle.apps.jobs.data.ElementType;
import io.isle.apps.jobs.data.HostArray;
import io.isle.apps.jobs.kernel.Extents;
import io.isle.apps.jobs.kernel.Invocation;
import io.isle.apps.jobs.platform.Failures;
import io.isle.apps.jobs.platform.JobArrays;
import io.isle.apps.jobs.spec.Buffers;
import io.isle.apps.jobs.spec.JobSpec;
import java.util.ArrayList;
import java.util.List;

/** The inputs of a streamed step that are the same for every piece. By the stream's thread. */
final class Residents {
  private final StepRun run;
  private final Invocation invocation;
  private final KernelAccess access;
  private final List<Shared> all = new ArrayList<>();

  /** Those that no other step has. */
  private final List<Resident> own = new ArrayList<>();

  /**
   * An input.
   *
   * @param place where it stands among the step's buffers
   * @param kept where the program may write it, else null. Work of a context runs in order, so that
   *     one copy is enough for all pieces
   */
  private record Shared(int place, Resident input, KeptInput kept) {}

  /**
   * Reads them.
   *
   * @param extents takes what their names stand for
   */
  Residents(StepRun run, Invocation invocation, Extents extents) throws InterruptedException {
    this.run = run;
    this.invocation = invocation;
    access = KernelAccess.of(run, invocation);
    Buffers buffers = run.step().buffers();
    List<Buffers.Input> whole =
        buffers.inputs().stream().filter(input -> !buffers.isCut(input)).toList();
    if (whole.isEmpty()) {
      return;
    }
    JobArrays arrays = run.env().arrays();
    WholeInputs reader = new WholeInputs(extents, run.stream().memory(), arrays, arrays.open());
    for (Buffers.Input input : WholeInputs.inOrder(whole)) {
      extents.type(input.name(), add(input, reader, extents));
    }
  }

  private ElementType add(Buffers.Input input, WholeInputs reader, Extents extents)
      throws InterruptedException {
    if (input.source() instanceof Buffers.Source.OfStep source) {
      Results.Made made = run.env().results().get(source);
      made.bind(input, extents);
      if (made.stream() == run.stream()) {
        add(input, made.resident());
      } else {
        upload(input, made.host().orElseThrow());
      }
      return made.type();
    }
    HostArray host = reader.read(input);
    upload(input, host);
    return host.type();
  }

  private void upload(Buffers.Input input, HostArray host) {
    Resident resident =
        resident(
            input.name(),
            Resident.bytes(input.where(), host.type(), host.shape()),
            Resident.copyOf(host.bytes(), run.clock()));
    add(input, resident);
  }

  private Resident resident(String name, long bytes, Resident.Contents contents) {
    Resident resident = new Resident(run.env(), run.step().name() + "." + name, bytes, 0, contents);
    own.add(resident);
    return resident;
  }

  private void add(Buffers.Input input, Resident resident) {
    int place = run.step().buffers().names().indexOf(input.name());
    KeptInput kept =
        invocation.arguments().writes(place)
            ? new KeptInput(resident, resident(input.name(), resident.bytes(), null))
            : null;
    all.add(new Shared(place, resident, kept));
  }

  /** How many there are. */
  int count() {
    return all.size();
  }

  /** All are on the device; returns 0 or a negated code. */
  int ensure(StreamContext stream) throws InterruptedException {
    for (Shared shared : all) {
      int code =
          shared.kept() == null ? shared.input().ensure(stream) : shared.kept().ensure(stream);
      if (code != 0) {
        return code;
      }
    }
    return 0;
  }

  /** As {@link #ensure}, however often the device is recovered meanwhile. */
  void bring(Env env, StreamContext stream, JobSpec.Step step) throws InterruptedException {
    long until = System.nanoTime() + env.patience().recoveryNs();
    for (int code = ensure(stream); code != 0; code = ensure(stream)) {
      if (!Failures.passes(code) || System.nanoTime() - until >= 0) {
        throw Failures.work(env.device(), step, 0, code, stream.newestError());
      }
      boolean ignored = stream.recover(code);
    }
  }

  void use(CommandWriter writer, int[] uses) {
    for (Shared shared : all) {
      uses[shared.place()] =
          shared.kept() == null
              ? shared.input().use(writer, access.input())
              : shared.kept().use(writer, access.scratch());
    }
  }

  /** What the program may write begins as the input, after {@link #use}. */
  void restore(CommandWriter writer, int[] uses) {
    for (Shared shared : all) {
      if (shared.kept() != null) {
        shared.kept().restore(writer, uses[shared.place()]);
      }
    }
  }

  /** Work was submitted. */
  void submitted(StepClock clock) {
    for (Shared shared : all) {
      if (shared.kept() != null) {
        shared.kept().submitted(clock);
      }
    }
  }

  /** Work did not end well: the next one is given all memory anew. */
  void failed() {
    own.forEach(Resident::failed);
  }

  /** Gives the device's memory back that only this step needs. */
  void release() {
    own.forEach(Resident::release);
  }
}
