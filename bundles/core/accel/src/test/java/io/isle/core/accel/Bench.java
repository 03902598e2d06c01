package io.isle.core.accel;

import io.isle.api.accel.Accelerator;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.DeviceQuery;
import io.isle.api.base.MonotonicClock;
import io.isle.api.driver.DevicePort;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.Permission;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/** A core with one scripted device, for tests. */
final class Bench implements AutoCloseable {
  final TestCapabilities capabilities = new TestCapabilities();
  final MemorySegment commands = Arena.ofAuto().allocate(1 << 22, 4096);
  final AccelCore core;
  final DevicePort.Plug plug;
  final ScriptedDevice device;
  final BundleView view;
  final Capability all = capabilities.grant("test", Set.of(Permission.values()), 0);

  Bench() {
    this(AccelLimits.DEFAULT);
  }

  Bench(AccelLimits limits) {
    core = new AccelCore(limits, 1, capabilities, MonotonicClock.SYSTEM);
    plug = core.plug("sim0", commands, Arena.ofAuto().allocate(4096, 4096));
    device = new ScriptedDevice(plug.completions());
    view = new BundleView(core, () -> null);
    plug.online(device, 1);
  }

  Accelerator accelerator() {
    return view.find(DeviceQuery.id("sim0"));
  }

  Context context() {
    return accelerator().open(all, ContextSpec.named("test"));
  }

  Context context(ContextSpec spec) {
    return accelerator().open(all, spec);
  }

  @Override
  public void close() {
    device.completeAtOnce = true;
    device.resetDevice();
    view.close();
    core.close();
  }
}
