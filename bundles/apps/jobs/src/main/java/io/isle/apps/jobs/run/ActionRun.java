package io.isle.apps.jobs.run;

import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import io.isle.api.jobs.ActionParameter;
import io.isle.api.jobs.ActionStep;
import io.isle.api.jobs.ActionValues;
import io.isle.api.jobs.JobAction;
import io.isle.api.tenancy.Capability;
import io.isle.apps.jobs.fault.ActionBook;
import io.isle.apps.jobs.platform.Failures;
import io.isle.apps.jobs.spec.ActionCall;
import io.isle.apps.jobs.spec.Buffers;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.ClosedByInterruptException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a step of a kind that another bundle brings, and is what that kind sees of the job. */
final class ActionRun implements ActionStep {
  private static final Logger LOG = LoggerFactory.getLogger(ActionRun.class);

  private final Env env;
  private final ActionCall call;
  private final String group;
  private final Buffers.StepRef ref;
  private final StepClock clock;
  private final Set<String> written = new HashSet<>();

  /**
   * @param group of tenants that its stream belongs to
   */
  ActionRun(Env env, ActionCall call, String group, Buffers.StepRef ref, StepClock clock) {
    this.env = env;
    this.call = call;
    this.group = group;
    this.ref = ref;
    this.clock = clock;
  }

  JobAction action() {
    return call.action();
  }

  /**
   * Runs it to its end.
   *
   * @throws io.isle.api.jobs.JobException when it fails, or its bundle stops
   */
  void run() throws InterruptedException {
    ActionBook book = env.actions();
    if (!book.actions().begin(action())) {
      throw ActionBook.gone(action());
    }
    book.begin(ref, action(), this);
    boolean gone;
    RuntimeException failure = null;
    InterruptedException interrupt = null;
    try {
      act();
    } catch (InterruptedException e) {
      interrupt = e;
    } catch (RuntimeException e) {
      failure = e;
    } finally {
      book.end(ref);
      gone = book.actions().end();
    }
    if (gone) {
      throw ActionBook.gone(action());
    }
    if (interrupt != null) {
      throw interrupt;
    }
    if (failure != null) {
      throw failure;
    }
    env.ending().forgive();
  }

  private void act() throws InterruptedException {
    try {
      action().run(this);
    } catch (ClosedByInterruptException | InterruptedIOException e) {
      boolean ignored = Thread.interrupted();
      throw FileWork.interrupted("the step " + ref.text() + " ran", e);
    } catch (IOException e) {
      throw call.where().failure(Errno.EIO, Failures.reason(e));
    } catch (IsleException e) {
      throw e;
    } catch (RuntimeException | LinkageError | AssertionError e) {
      LOG.error("job {}: the step {} failed by a defect of its kind", job(), ref.text(), e);
      throw call.where().failure(Errno.EIO, "failed by a defect of its kind: " + e);
    }
  }

  @Override
  public String job() {
    return env.jobId();
  }

  @Override
  public String stream() {
    return ref.stream();
  }

  @Override
  public String name() {
    return ref.step();
  }

  @Override
  public String group() {
    return group;
  }

  @Override
  public String device() {
    return env.device();
  }

  @Override
  public Capability capability() throws InterruptedException {
    return env.tenant().capability(group, System.nanoTime() + env.patience().recoveryNs());
  }

  @Override
  public ActionValues values() {
    return call.values();
  }

  @Override
  public InputStream read(String parameter) throws IOException, InterruptedException {
    Path path = path(parameter, ActionParameter.Kind.FILE);
    return Channels.newInputStream(
        Opening.open(env.outputs().present(path), StandardOpenOption.READ));
  }

  @Override
  public OutputStream write(String parameter) throws InterruptedException {
    Path path = path(parameter, ActionParameter.Kind.OUT);
    if (!written.add(parameter)) {
      throw new IllegalStateException("the output '" + parameter + "' was already opened");
    }
    OutputFile file = OutputFile.create(path, job());
    Sink ignored = env.outputs().add(new Sink(name(), file));
    return file.stream();
  }

  private Path path(String parameter, ActionParameter.Kind kind) {
    for (ActionParameter known : action().parameters()) {
      if (known.name().equals(parameter) && known.kind() == kind) {
        return values().path(parameter);
      }
    }
    throw new IllegalStateException("'" + parameter + "' is not a parameter of the kind " + kind);
  }

  @Override
  public void done(long bytes, long blocks) {
    env.measures().finished(bytes, blocks);
    clock.finished(bytes);
    env.observer().progress(env.measures().bytes.sum(), -1);
  }

  @Override
  public void measure(String name, double value) {
    if (!action().measures().contains(name)) {
      throw new IllegalStateException("'" + name + "' is not a measure of the step's kind");
    }
    env.actions().measure(ref, name, value);
  }

  @Override
  public boolean scheduleOver() {
    return env.faults().over();
  }

  @Override
  public void print(String line) {
    byte[] text = (line + "\n").getBytes(StandardCharsets.UTF_8);
    env.observer().print(text, text.length);
  }
}
