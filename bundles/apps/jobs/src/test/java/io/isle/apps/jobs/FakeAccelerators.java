package io.isle.apps.jobs;

import io.isle.api.accel.Accelerator;
import io.isle.api.accel.AcceleratorInfo;
import io.isle.api.accel.Accelerators;
import io.isle.api.accel.DeviceQuery;
import io.isle.api.accel.GroupUsage;
import io.isle.api.accel.HostTimeline;
import io.isle.api.tenancy.Capability;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** The devices of a test: which are listed, and which is found. */
record FakeAccelerators(
    Supplier<List<AcceleratorInfo>> listed, Function<DeviceQuery, Accelerator> found)
    implements Accelerators {
  @Override
  public List<AcceleratorInfo> list() {
    return listed.get();
  }

  @Override
  public Accelerator find(DeviceQuery query) {
    return found.apply(query);
  }

  @Override
  public List<GroupUsage> usage(Capability capability, String group) {
    throw new UnsupportedOperationException();
  }

  @Override
  public HostTimeline hostTimeline(Capability capability, String name) {
    throw new UnsupportedOperationException();
  }
}
