package io.isle.apps.jobs.setup;

import io.isle.api.base.ConfigFiles;
import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import io.isle.api.device.DeviceNode;
import io.isle.api.device.DeviceState;
import io.isle.api.device.DeviceTree;
import io.isle.api.jobs.JobException;
import io.isle.api.tenancy.Group;
import io.isle.api.tenancy.GroupSpec;
import io.isle.api.tenancy.Groups;
import io.isle.api.tenancy.TenancyException;
import io.isle.apps.jobs.platform.Platform;
import io.isle.apps.jobs.spec.JobSpec;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes what exists only for one job, and undoes it in reverse order. Used by one thread. */
public final class Setup implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Setup.class);
  private static final String DEVICE_PID = "io.isle.device-";
  private static final String GROUP_PID = "io.isle.group-";
  private static final long DEVICE_WAIT_NS = TimeUnit.SECONDS.toNanos(10);

  private static final long FAILED_NS = TimeUnit.SECONDS.toNanos(1);

  private final Platform platform;
  private final UndoLog log;
  private final Deque<Step> undo = new ArrayDeque<>();

  private Setup(Platform platform, UndoLog log) {
    this.platform = platform;
    this.log = log;
  }

  /** Makes everything; what was made is undone when something fails. */
  public static Setup apply(Platform platform, JobSpec spec, String jobId)
      throws InterruptedException {
    Setup setup = new Setup(platform, new UndoLog(platform.folder(), jobId));
    boolean made = false;
    try {
      for (JobSpec.Settings settings : spec.setup().settings()) {
        setup.change(settings);
      }
      for (JobSpec.NewDevice device : spec.setup().devices()) {
        setup.make(device);
      }
      for (JobSpec.NewGroup group : spec.setup().groups()) {
        setup.make(group);
      }
      for (JobSpec.NewResource resource : spec.setup().resources()) {
        setup.make(resource);
      }
      made = true;
      return setup;
    } finally {
      if (!made) {
        setup.close();
      }
    }
  }

  private ConfigFiles files() throws InterruptedException {
    return platform.await(ConfigFiles.class, platform.serviceByNs());
  }

  private DeviceTree tree() throws InterruptedException {
    return platform.await(DeviceTree.class, platform.serviceByNs());
  }

  private void change(JobSpec.Settings settings) throws InterruptedException {
    ConfigFiles files = files();
    Optional<Map<String, String>> before = files.read(settings.pid());
    Map<String, String> back = new HashMap<>();
    settings
        .values()
        .keySet()
        .forEach(key -> back.put(key, before.map(values -> values.get(key)).orElse(null)));
    log.note(settings.pid(), before.isPresent(), back);
    undo.push(() -> UndoLog.putBack(files(), settings.pid(), before.isPresent(), back));
    files.set(settings.pid(), settings.values());
  }

  private void make(JobSpec.NewDevice device) throws InterruptedException {
    String pid = DEVICE_PID + device.id();
    ConfigFiles files = files();
    if (tree().find(device.id()).isPresent() || files.read(pid).isPresent()) {
      throw JobException.failed(
          Errno.EEXIST,
          device.where().path() + ": the device " + device.id() + " exists already; use another id",
          null);
    }
    log.note(pid, false, Map.of());
    undo.push(() -> remove(pid, device.id()));
    files.set(pid, device.settings());
    Optional<DeviceNode> node = opened(device.id());
    if (node.isEmpty() || node.get().state() != DeviceState.ACTIVE) {
      throw JobException.failed(
          Errno.ENODEV,
          device.where().path()
              + ": the device did not become active: "
              + node.map(n -> n.state().text() + " " + n.error())
                  .orElse("the platform did not find the device"),
          null);
    }
  }

  /** Whether it may be, the service of groups says, in its own words. */
  private void make(JobSpec.NewGroup group) throws InterruptedException {
    Groups groups = groups(group);
    String pid = GROUP_PID + group.name();
    if (groups.find(group.name()).isPresent() || files().read(pid).isPresent()) {
      throw group
          .where()
          .failure(Errno.EEXIST, "the group " + group.name() + " exists already; use another name");
    }
    log.note(pid, false, Map.of());
    undo.push(() -> remove(group));
    try {
      Group ignored = groups.create(GroupSpec.of(group.name(), group.keys()));
    } catch (TenancyException e) {
      checkCancelled(e);
      if (e.code() != Errno.ETIMEDOUT && e.code() != Errno.ECLOSED) {
        undo.pop();
      }
      throw group.where().failure(e.code(), e.getMessage());
    }
  }

  private void make(JobSpec.NewResource made) throws InterruptedException {
    Resources resources = new Resources(platform);
    Set<String> pids = made.kind().pids(made.resource());
    resources.checkNew(made, pids);
    pids.forEach(pid -> log.note(pid, false, Map.of()));
    undo.push(() -> resources.remove(made, pids));
    try {
      resources.make(made);
    } catch (IsleException e) {
      if (e.code() == Errno.EEXIST) {
        // made by somebody else meanwhile: not ours to remove
        undo.pop();
      }
      throw e;
    }
  }

  private void remove(JobSpec.NewGroup group) throws InterruptedException {
    try {
      groups(group).delete(group.name());
    } catch (TenancyException e) {
      checkCancelled(e);
      if (e.code() != Errno.ENOENT) {
        throw e;
      }
    }
  }

  /** An interrupt ends the wait for a change of groups, not the change. */
  private static void checkCancelled(TenancyException e) throws InterruptedException {
    if (e.code() == Errno.ECANCELED) {
      boolean ignored = Thread.interrupted();
      InterruptedException interrupted = new InterruptedException(e.getMessage());
      interrupted.initCause(e);
      throw interrupted;
    }
  }

  private Groups groups(JobSpec.NewGroup group) throws InterruptedException {
    try {
      return platform.await(Groups.class, platform.serviceByNs());
    } catch (JobException e) {
      throw group.where().failure(e.code(), e.getMessage());
    }
  }

  /**
   * The device once it is open, or once it has been something else for a while: one that was just
   * made is there before its driver has seen it.
   */
  private Optional<DeviceNode> opened(String id) throws InterruptedException {
    long begun = System.nanoTime();
    long failedSince = begun;
    while (true) {
      Optional<DeviceNode> node = tree().find(id);
      DeviceState state = node.map(DeviceNode::state).orElse(DeviceState.RECOVERING);
      long now = System.nanoTime();
      if (state == DeviceState.RECOVERING) {
        failedSince = now;
      }
      boolean failed = now - failedSince > FAILED_NS || now - begun > DEVICE_WAIT_NS;
      if (state == DeviceState.ACTIVE || failed) {
        return node;
      }
      TimeUnit.MILLISECONDS.sleep(Platform.LOOK_MS);
    }
  }

  private void remove(String pid, String id) throws InterruptedException {
    files().delete(pid);
    await(id, Optional::isEmpty);
  }

  private void await(String id, Predicate<Optional<DeviceNode>> condition)
      throws InterruptedException {
    long end = System.nanoTime() + DEVICE_WAIT_NS;
    while (!condition.test(tree().find(id)) && System.nanoTime() - end < 0) {
      TimeUnit.MILLISECONDS.sleep(Platform.LOOK_MS);
    }
  }

  /** Undoes everything, also when the job was interrupted: then with the flag set afterwards. */
  @Override
  public void close() {
    boolean interrupted = Thread.interrupted();
    boolean clean = true;
    while (!undo.isEmpty()) {
      try {
        undo.peek().run();
        undo.pop();
      } catch (RuntimeException | Error e) {
        undo.pop();
        clean = false;
        LOG.warn("undoing a part of a job's setup failed", e);
      } catch (InterruptedException e) {
        // Each wait is bounded, and what is half undone would be undone at the next start only.
        interrupted = true;
      }
    }
    if (clean) {
      log.done();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Undoes one change; may be run again when it was interrupted. */
  private interface Step {
    void run() throws InterruptedException;
  }
}
