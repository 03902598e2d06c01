package io.isle.apps.jobs.setup;

import io.isle.api.base.ConfigFiles;
import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import io.isle.api.jobs.JobException;
import io.isle.api.jobs.SetupKind;
import io.isle.apps.jobs.platform.Platform;
import io.isle.apps.jobs.platform.Providers;
import io.isle.apps.jobs.spec.JobSpec;
import java.util.Set;

/** Calls to the kinds of set-up resources that other bundles bring. */
public final class Resources {
  private final Platform platform;
  private final Providers<SetupKind> kinds;

  public Resources(Platform platform) {
    this.platform = platform;
    kinds = platform.kinds();
  }

  private interface Call {
    void run() throws InterruptedException;
  }

  private ConfigFiles files() throws InterruptedException {
    return platform.await(ConfigFiles.class, platform.serviceByNs());
  }

  /** Refuses a name that is taken. */
  void checkNew(JobSpec.NewResource made, Set<String> pids) throws InterruptedException {
    ConfigFiles files = files();
    for (String pid : pids) {
      if (files.read(pid).isPresent()) {
        throw made.where()
            .failure(
                Errno.EEXIST,
                made.kind().singular()
                    + " "
                    + made.resource().name()
                    + ": the settings "
                    + pid
                    + " exist already; use another name");
      }
    }
  }

  /** Makes it; what was made in parts is removed by {@link #remove}. */
  void make(JobSpec.NewResource made) throws InterruptedException {
    try {
      call(made.kind(), () -> made.kind().make(made.resource()));
    } catch (IsleException e) {
      throw made.where().failure(e.code(), e.getMessage());
    }
  }

  /** Removes it, by the present version of its kind; without one, its settings files alone. */
  void remove(JobSpec.NewResource made, Set<String> pids) throws InterruptedException {
    SetupKind kind = kinds.byKey().get(made.kind().key());
    try {
      if (kind != null) {
        call(kind, () -> kind.remove(made.resource()));
      }
    } finally {
      ConfigFiles files = files();
      for (String pid : pids) {
        boolean ignored = files.delete(pid);
      }
    }
  }

  /**
   * Brings an event about.
   *
   * @throws IsleException when it is impossible
   */
  public void happen(JobSpec.Occurrence event) throws InterruptedException {
    SetupKind kind = event.on().kind();
    call(kind, () -> kind.happen(event.on().resource(), event.event().name(), event.values()));
  }

  private void call(SetupKind kind, Call call) throws InterruptedException {
    if (!kinds.begin(kind)) {
      throw gone(kind);
    }
    boolean gone;
    RuntimeException failure = null;
    InterruptedException interrupt = null;
    try {
      call.run();
    } catch (InterruptedException e) {
      interrupt = e;
    } catch (RuntimeException e) {
      failure = e;
    } finally {
      gone = kinds.end();
    }
    if (gone) {
      throw gone(kind);
    }
    if (interrupt != null) {
      throw interrupt;
    }
    if (failure != null) {
      throw failure;
    }
  }

  private static JobException gone(SetupKind kind) {
    return JobException.failed(
        Errno.ECLOSED,
        "the bundle that provides '"
            + kind.key()
            + "' of setup was stopped; start the bundle and run the job again",
        null);
  }
}
