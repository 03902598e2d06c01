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
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/** Publishes the jobs service; what only {@code setup} needs may come and go. */
@Component(service = Jobs.class)
public final class JobsComponent implements Jobs {
  private final JobsService service;

  @Reference(
      cardinality = ReferenceCardinality.OPTIONAL,
      policy = ReferencePolicy.DYNAMIC,
      policyOption = ReferencePolicyOption.GREEDY)
  volatile DeviceTree tree;

  @Reference(
      cardinality = ReferenceCardinality.OPTIONAL,
      policy = ReferencePolicy.DYNAMIC,
      policyOption = ReferencePolicyOption.GREEDY)
  volatile ConfigFiles files;

  @Reference(
      cardinality = ReferenceCardinality.OPTIONAL,
      policy = ReferencePolicy.DYNAMIC,
      policyOption = ReferencePolicyOption.GREEDY)
  volatile AccelAdmin admin;

  @Activate
  public JobsComponent(
      BundleContext bundle,
      @Reference Accelerators accelerators,
      @Reference Capabilities capabilities) {
    this.service =
        new JobsService(
            () ->
                new Platform(
                    accelerators,
                    capabilities,
                    Optional.ofNullable(tree),
                    Optional.ofNullable(files),
                    Optional.ofNullable(admin)),
            new History(data(bundle).resolve("history.yml")));
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
