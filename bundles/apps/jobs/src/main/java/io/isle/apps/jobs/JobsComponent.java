package io.isle.apps.jobs;

import io.isle.api.accel.Accelerators;
import io.isle.api.base.ConfigFiles;
import io.isle.api.device.DeviceAdmin;
import io.isle.api.device.DeviceTree;
import io.isle.api.device.RecoveryLog;
import io.isle.api.health.FaultInjector;
import io.isle.api.jobs.JobAction;
import io.isle.api.jobs.JobInfo;
import io.isle.api.jobs.JobObserver;
import io.isle.api.jobs.JobRequest;
import io.isle.api.jobs.JobResult;
import io.isle.api.jobs.Jobs;
import io.isle.api.jobs.SetupKind;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Groups;
import io.isle.apps.jobs.platform.ArrayBudget;
import io.isle.apps.jobs.platform.CrashBlame;
import io.isle.apps.jobs.platform.Platform;
import io.isle.apps.jobs.platform.Providers;
import io.isle.apps.jobs.setup.UndoLog;
import io.isle.apps.jobs.spec.JobParser;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/**
 * Publishes the jobs service. It stays when a part of the core goes: running jobs wait for it to
 * come back.
 */
@Component(service = Jobs.class)
public final class JobsComponent implements Jobs {
  /** How long a platform that starts may take to open its first device. */
  private static final long BOOT_NS = TimeUnit.SECONDS.toNanos(10);

  @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
  private volatile Accelerators accelerators;

  @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
  private volatile Capabilities capabilities;

  @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
  private volatile DeviceTree tree;

  @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
  private volatile Groups groups;

  @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
  private volatile FaultInjector faults;

  @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
  private volatile DeviceAdmin devices;

  @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
  private volatile RecoveryLog recoveries;

  private final Providers<JobAction> actions =
      new Providers<>("a kind of steps", JobAction::key, JobParser::isKindOfStep);
  private final Providers<SetupKind> kinds =
      new Providers<>("a kind of set-up resources", SetupKind::key, JobParser::isKindOfSetup);
  private final Path folder;
  private final JobsService service;
  private volatile ConfigFiles files;
  private boolean undone;

  @Activate
  public JobsComponent(BundleContext bundle) {
    folder = data(bundle);
    long settledNs = System.nanoTime() + BOOT_NS;
    service =
        new JobsService(new Services(settledNs), new History(folder.resolve("history.jsonl")));
  }

  /** The instance's data folder, which outlives updates of this bundle. */
  private static Path data(BundleContext bundle) {
    String data = bundle.getProperty("karaf.data");
    return data == null
        ? bundle.getDataFile("jobs").toPath()
        : Path.of(data).resolve("isle").resolve("jobs");
  }

  /** Jobs see the service only when what earlier jobs left has been put back. */
  @Reference(
      cardinality = ReferenceCardinality.OPTIONAL,
      policy = ReferencePolicy.DYNAMIC,
      unbind = "forgetFiles")
  synchronized void setFiles(ConfigFiles service) {
    if (!undone) {
      undone = true;
      UndoLog.recover(folder, service);
    }
    files = service;
  }

  synchronized void forgetFiles(ConfigFiles service) {
    if (files == service) {
      files = null;
    }
  }

  @Reference(
      cardinality = ReferenceCardinality.MULTIPLE,
      policy = ReferencePolicy.DYNAMIC,
      unbind = "removeAction")
  void addAction(JobAction action) {
    actions.add(action);
  }

  void removeAction(JobAction action) {
    actions.remove(action);
  }

  @Reference(
      cardinality = ReferenceCardinality.MULTIPLE,
      policy = ReferencePolicy.DYNAMIC,
      unbind = "removeKind")
  void addKind(SetupKind kind) {
    kinds.add(kind);
  }

  void removeKind(SetupKind kind) {
    kinds.remove(kind);
  }

  @Deactivate
  void stop() {
    service.close();
  }

  @Override
  public JobResult run(JobRequest request, JobObserver observer) {
    return service.run(request, observer);
  }

  @Override
  public List<JobInfo> list() {
    return service.list();
  }

  @Override
  public Optional<JobInfo> find(String id) {
    return service.find(id);
  }

  @Override
  public boolean cancel(String id) {
    return service.cancel(id);
  }

  /** What is bound at the moment. */
  private final class Services implements Platform {
    private final long settledNs;
    private final CrashBlame blame = new CrashBlame();
    private final ArrayBudget arrays = ArrayBudget.ofJvm();

    Services(long settledNs) {
      this.settledNs = settledNs;
    }

    @Override
    public <S> Optional<S> service(Class<S> type) {
      Object there =
          switch (type.getSimpleName()) {
            case "Accelerators" -> accelerators;
            case "Capabilities" -> capabilities;
            case "DeviceTree" -> tree;
            case "Groups" -> groups;
            case "ConfigFiles" -> files;
            case "FaultInjector" -> faults;
            case "DeviceAdmin" -> devices;
            case "RecoveryLog" -> recoveries;
            default -> throw new IllegalArgumentException("jobs do not use " + type);
          };
      return Optional.ofNullable(type.cast(there));
    }

    @Override
    public CrashBlame blame() {
      return blame;
    }

    @Override
    public ArrayBudget arrays() {
      return arrays;
    }

    @Override
    public Providers<JobAction> actions() {
      return actions;
    }

    @Override
    public Providers<SetupKind> kinds() {
      return kinds;
    }

    @Override
    public Path folder() {
      return folder;
    }

    @Override
    public long settledNs() {
      return settledNs;
    }
  }
}
