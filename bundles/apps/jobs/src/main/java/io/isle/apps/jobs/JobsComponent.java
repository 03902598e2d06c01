package io.isle.apps.jobs;

import io.isle.api.accel.AccelAdmin;
import io.isle.api.accel.Accelerators;
import io.isle.api.base.ConfigFiles;
import io.isle.api.device.DeviceTree;
import io.isle.api.jobs.JobInfo;
import io.isle.api.jobs.JobObserver;
import io.isle.api.jobs.JobRequest;
import io.isle.api.jobs.JobResult;
import io.isle.api.jobs.Jobs;
import io.isle.api.tenancy.Capabilities;
import io.isle.apps.jobs.run.Platform;
import io.isle.apps.jobs.run.UndoLog;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;

/** Publishes the jobs service. When a part of the core goes, running jobs are cancelled. */
@Component(service = Jobs.class)
public final class JobsComponent implements Jobs {
  /** How long a platform that starts may take to open its first device. */
  private static final long BOOT_NS = TimeUnit.SECONDS.toNanos(10);

  private final JobsService service;

  @Activate
  public JobsComponent(
      BundleContext bundle,
      @Reference Accelerators accelerators,
      @Reference Capabilities capabilities,
      @Reference DeviceTree tree,
      @Reference ConfigFiles files,
      @Reference AccelAdmin admin) {
    Path folder = data(bundle);
    UndoLog.recover(folder, files);
    long settledNs = System.nanoTime() + BOOT_NS;
    Platform platform =
        new Platform(accelerators, capabilities, tree, files, admin, folder, settledNs);
    this.service = new JobsService(platform, new History(folder.resolve("history.yml")));
  }

  /** The instance's data folder, which outlives updates of this bundle. */
  private static Path data(BundleContext bundle) {
    String data = bundle.getProperty("karaf.data");
    return data == null
        ? bundle.getDataFile("jobs").toPath()
        : Path.of(data).resolve("isle").resolve("jobs");
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
}
