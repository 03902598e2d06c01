package io.isle.apps.jobs.run;

import io.isle.api.accel.Buffer;
import io.isle.api.accel.CommandWriter;
import io.isle.apps.jobs.platform.Failures;
import io.isle.apps.jobs.spec.JobSpec;
import java.util.List;

/** The buffers of a streamed step that are the same for every piece. By the stream's thread. */
final class Residents {
  /** None. */
  static final Residents NONE = new Residents(List.of(), List.of(), List.of());

  private final List<Resident> residents;

  /** Where each stands among the step's buffers. */
  private final List<Integer> places;

  /** Those that no other step has. */
  private final List<Resident> own;

  Residents(List<Resident> residents, List<Integer> places, List<Resident> own) {
    this.residents = List.copyOf(residents);
    this.places = List.copyOf(places);
    this.own = List.copyOf(own);
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
