package io.isle.apps.jobs;

import io.isle.api.accel.Accelerators;
import io.isle.api.base.ConfigFiles;
import io.isle.api.device.DeviceAdmin;
import io.isle.api.device.DeviceTree;
import io.isle.api.device.RecoveryLog;
import io.isle.api.health.FaultInjector;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Groups;
import io.isle.apps.jobs.platform.Actions;
import io.isle.apps.jobs.platform.ArrayBudget;
import io.isle.apps.jobs.platform.CrashBlame;
import io.isle.apps.jobs.platform.Platform;
import java.nio.file.Path;
import java.util.Optional;

/** The services of a {@link Harness}. */
record FakePlatform(Harness harness, Path folder, long settledNs) implements Platform {
  private <S> Optional<S> ifThere(S service) {
    if (harness.coreIsThere) {
      return Optional.of(service);
    }
    harness.onAbsent.run();
    return Optional.empty();
  }

  @Override
  public Optional<Accelerators> accelerators() {
    return ifThere(harness.accelerators);
  }

  @Override
  public Optional<Capabilities> capabilities() {
    return ifThere(harness.capabilities);
  }

  @Override
  public Optional<DeviceTree> tree() {
    harness.looked.countDown();
    return ifThere(harness.core);
  }

  @Override
  public Optional<Groups> groups() {
    return harness.groupsAreThere ? ifThere(harness.groups) : Optional.empty();
  }

  @Override
  public Optional<ConfigFiles> files() {
    return ifThere(harness.core);
  }

  @Override
  public Optional<FaultInjector> faults() {
    return ifThere(harness.core::inject);
  }

  @Override
  public Optional<DeviceAdmin> devices() {
    return ifThere(harness.hosts);
  }

  @Override
  public Optional<RecoveryLog> recoveries() {
    return ifThere(harness.device);
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
  public Actions actions() {
    return harness.actions;
  }

  @Override
  public CrashBlame blame() {
    return harness.blame;
  }
}
