package io.isle.apps.jobs;

import io.isle.api.device.DeviceTree;
import io.isle.api.health.FaultInjector;
import io.isle.api.jobs.JobAction;
import io.isle.api.jobs.SetupKind;
import io.isle.api.tenancy.Groups;
import io.isle.apps.jobs.platform.ArrayBudget;
import io.isle.apps.jobs.platform.CrashBlame;
import io.isle.apps.jobs.platform.Platform;
import io.isle.apps.jobs.platform.Providers;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** The services of a {@link Harness}. */
record FakePlatform(Harness harness, Path folder, long settledNs) implements Platform {
  @Override
  public <S> Optional<S> service(Class<S> type) {
    if (type == DeviceTree.class) {
      harness.looked.countDown();
    }
    if (type == Groups.class && !harness.groupsAreThere) {
      return Optional.empty();
    }
    if (!harness.coreIsThere) {
      harness.onAbsent.run();
      return Optional.empty();
    }
    FaultInjector faults = harness.core::inject;
    // The core is last: it stands for several services.
    return Stream.<Object>of(
            harness.accelerators,
            harness.capabilities,
            harness.groups,
            faults,
            harness.hosts,
            harness.device,
            harness.core)
        .filter(type::isInstance)
        .map(type::cast)
        .findFirst();
  }

  @Override
  public Thread thread(String name, Runnable work) {
    return harness.threads.apply(name, work);
  }

  @Override
  public ArrayBudget arrays() {
    return harness.arrays;
  }

  @Override
  public Providers<JobAction> actions() {
    return harness.actions;
  }

  @Override
  public Providers<SetupKind> kinds() {
    return harness.kinds;
  }

  @Override
  public CrashBlame blame() {
    return harness.blame;
  }
}
