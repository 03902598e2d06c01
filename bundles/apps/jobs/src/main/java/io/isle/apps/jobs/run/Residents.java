package io.isle.apps.jobs.run;

import io.isle.api.accel.CommandWriter;
import io.isle.api.base.Errno;
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
  private static final int NONE = -1;

  private final StepRun run;
  private final Invocation invocation;
  private final KernelAccess access;
  private final List<Shared> all = new ArrayList<>();

  /** Those that no other step has. */
  private final List<Resident> own = new ArrayList<>();

  /**
   * Epoch in which a piece has ended well: a device that works on copies has all inputs in its own
   * from then on, until something fails.
   */
  private int copied = NONE;

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
            ArrayBytes.of(input.where(), host.type(), host.shape()),
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

  /**
   * Refuses more than a submission can bind.
   *
   * @param lanes buffers that each piece has of its own
   */
  void checkBindings(int lanes) {
    long copies = all.stream().filter(shared -> shared.kept() != null).count();
    long bindings = lanes + all.size() + copies + 1;
    if (bindings > CommandWriter.MAX_USES) {
      throw run.step()
          .where()
          .failure(
              Errno.EINVAL,
              "binds "
                  + bindings
                  + " ranges: "
                  + (lanes + all.size())
                  + " buffers, the program, and copies of "
                  + copies
                  + " shared inputs that the kernel may write; a submission has at most "
                  + CommandWriter.MAX_USES
                  + ". Make the kernel's arguments const where the kernel only reads them");
    }
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

  /**
   * Binds them for a piece.
   *
   * @param epoch of the device before the submission
   */
  void use(CommandWriter writer, int[] uses, int epoch) {
    boolean there = copied == epoch && !run.step().replay();
    int input = there ? access.copied() : access.input();
    for (Shared shared : all) {
      uses[shared.place()] =
          shared.kept() == null
              ? shared.input().use(writer, 0, shared.input().bytes(), input)
              : shared.kept().use(writer, input, access.scratch());
    }
  }

  /** A piece that was submitted in that epoch has ended well. */
  void arrived(int epoch) {
    copied = epoch;
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
    copied = NONE;
    own.forEach(Resident::failed);
  }

  /** Gives the device's memory back that only this step needs. */
  void release() {
    own.forEach(Resident::release);
  }
}
