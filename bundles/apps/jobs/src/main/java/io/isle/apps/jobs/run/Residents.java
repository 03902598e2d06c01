package io.isle.apps.jobs.run;

import io.isle.api.accel.Buffer;
import io.isle.api.accel.CommandWriter;
import io.isle.apps.jobs.data.ElementType;
import io.isle.apps.jobs.data.HostArray;
import io.isle.apps.jobs.platform.Failures;
import io.isle.apps.jobs.platform.JobArrays;
import io.isle.apps.jobs.spec.Buffers;
import io.isle.apps.jobs.spec.JobSpec;
import java.util.ArrayList;
import java.util.List;

/** The inputs of a streamed step that are the same for every piece. By the stream's thread. */
final class Residents {
  private final StepRun run;
  private final List<Resident> residents = new ArrayList<>();

  /** Where each stands among the step's buffers. */
  private final List<Integer> places = new ArrayList<>();

  /** Those that no other step has. */
  private final List<Resident> own = new ArrayList<>();

  /**
   * Reads them.
   *
   * @param extents takes what their names stand for
   */
  Residents(StepRun run, Extents extents) throws InterruptedException {
    this.run = run;
    Buffers buffers = run.step().buffers();
    List<Buffers.Input> whole =
        buffers.inputs().stream().filter(input -> !buffers.isCut(input)).toList();
    if (whole.isEmpty()) {
      return;
    }
    JobArrays all = run.env().arrays();
    WholeInputs reader = new WholeInputs(extents, run.stream().memory(), all, all.open());
    for (Buffers.Input input : WholeInputs.inOrder(whole)) {
      ElementType type;
      if (input.source() instanceof Buffers.Source.OfStep source) {
        Results.Made made = run.env().results().get(source);
        made.bind(input, extents);
        type = made.type();
        if (made.stream() == run.stream()) {
          add(input, made.resident());
        } else {
          upload(input, made.host().orElseThrow());
        }
      } else {
        HostArray host = reader.read(input);
        type = host.type();
        upload(input, host);
      }
      extents.type(input.name(), type);
    }
  }

  private void upload(Buffers.Input input, HostArray host) {
    Resident resident =
        new Resident(
            run.env(),
            run.step().name() + "." + input.name(),
            Resident.bytes(input.where(), host.type(), host.shape()),
            0,
            Resident.copyOf(host.bytes(), run.clock()));
    add(input, resident);
    own.add(resident);
  }

  private void add(Buffers.Input input, Resident resident) {
    residents.add(resident);
    places.add(run.step().buffers().names().indexOf(input.name()));
  }

  int count() {
    return residents.size();
  }

  /** All are on the device; returns 0 or a negated code. */
  int ensure(StreamContext stream) throws InterruptedException {
    for (Resident resident : residents) {
      int code = resident.ensure(stream);
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
    for (int i = 0; i < places.size(); i++) {
      uses[places.get(i)] = residents.get(i).use(writer, Buffer.READ);
    }
  }

  /** Gives the device's memory back that only this step needs. */
  void release() {
    own.forEach(Resident::release);
  }
}
