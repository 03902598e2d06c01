package io.isle.core.accel;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Accelerator;
import io.isle.api.accel.AcceleratorInfo;
import io.isle.api.accel.Accelerators;
import io.isle.api.accel.DeviceQuery;
import io.isle.api.accel.GroupUsage;
import io.isle.api.accel.HostTimeline;
import io.isle.api.base.Errno;
import io.isle.api.base.GroupNames;
import io.isle.api.device.DeviceNode;
import io.isle.api.device.DeviceTree;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.TenancyException;
import io.isle.core.accel.device.DeviceSearch;
import io.isle.core.accel.group.AccelGroups;
import io.isle.core.accel.managed.ManagedDevice;
import io.isle.core.accel.submit.ExecutionContext;
import io.isle.core.accel.timeline.HostTimelineHandle;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** The accelerators as one bundle uses them; closes the bundle's contexts at its end. */
final class BundleView implements Accelerators, AutoCloseable {
  private final AccelCore core;
  private final Supplier<DeviceTree> tree;
  private final Collection<ExecutionContext> contexts = new ArrayList<>();
  private final Collection<HostTimelineHandle> timelines = new ArrayList<>();
  private boolean closed;

  /**
   * @param tree gives the device tree, or null while there is none
   */
  BundleView(AccelCore core, Supplier<DeviceTree> tree) {
    this.core = core;
    this.tree = tree;
  }

  @Override
  public List<AcceleratorInfo> list() {
    return candidates(Set.of()).stream().map(DeviceSearch.Candidate::info).toList();
  }

  private List<DeviceSearch.Candidate> candidates(Set<String> groups) {
    AccelGroups tree = core.members().groups(groups);
    List<DeviceSearch.Candidate> all = new ArrayList<>();
    for (ManagedDevice device : core.devices()) {
      try {
        boolean open = device.currentOpening().isOnline();
        List<String> barred =
            groups.stream()
                .filter(name -> !tree.resolve(name).allows(device.deviceId()))
                .sorted()
                .toList();
        all.add(new DeviceSearch.Candidate(handle(device).info(device), open, barred));
      } catch (AccelException e) {
        if (e.code() != Errno.ENODEV) {
          throw e;
        }
      }
    }
    return all;
  }

  @Override
  public Accelerator find(DeviceQuery query) {
    List<DeviceSearch.Candidate> all =
        candidates(query.id().isPresent() ? Set.of() : query.groups());
    return DeviceSearch.best(query, all)
        .map(info -> new AcceleratorHandle(info.id(), this))
        .orElseThrow(
            () ->
                new AccelException(
                    DeviceSearch.mayCome(query, all) ? Errno.EINTR : Errno.ENODEV,
                    DeviceSearch.why(query, all, nodes())));
  }

  @Override
  public List<GroupUsage> usage(Capability capability, String group) {
    if (!capability.group().equals(group)) {
      throw new TenancyException(
          Errno.EACCES,
          group,
          "group",
          "the capability belongs to group "
              + capability.group()
              + "; only managers may read the usage of other groups");
    }
    List<GroupUsage> rows = new ArrayList<>();
    for (ManagedDevice device : core.devices()) {
      String deviceId = device.deviceId();
      if (capability.device().isEmpty() || capability.device().get().equals(deviceId)) {
        core.checkHolder(capability, deviceId);
        rows.add(usageOf(capability, deviceId));
      }
    }
    return rows;
  }

  /** Of the root it is what is directly in it: the groups below are other tenants. */
  GroupUsage usageOf(Capability capability, String device) {
    String group = core.members().groups().resolve(capability.group()).name();
    return core.figures().of(group, device, group.equals(GroupNames.DEFAULT));
  }

  @Override
  public HostTimeline hostTimeline(Capability capability, String name) {
    HostTimelineHandle made = core.hostTimelines().open(capability, name);
    synchronized (this) {
      timelines.removeIf(known -> known.points().ended() == Errno.ECLOSED);
      if (!closed) {
        timelines.add(made);
        return made;
      }
    }
    made.close();
    throw new AccelException(Errno.ECLOSED, "the bundle that makes the timeline has stopped");
  }

  private List<DeviceNode> nodes() {
    DeviceTree now = tree.get();
    return now == null ? List.of() : now.nodes();
  }

  void opened(ExecutionContext context) {
    synchronized (this) {
      contexts.removeIf(known -> known.record().stateCode() == -Errno.ECLOSED);
      if (!closed) {
        contexts.add(context);
        return;
      }
    }
    context.close();
    throw new AccelException(Errno.ECLOSED, "the bundle that opens the context has stopped");
  }

  AccelCore core() {
    return core;
  }

  Optional<DeviceNode> node(String id) {
    DeviceTree now = tree.get();
    return now == null ? Optional.empty() : now.find(id);
  }

  @Override
  public void close() {
    List<ExecutionContext> left;
    List<HostTimelineHandle> over;
    synchronized (this) {
      closed = true;
      left = List.copyOf(contexts);
      contexts.clear();
      over = List.copyOf(timelines);
      timelines.clear();
    }
    over.forEach(HostTimelineHandle::close);
    left.forEach(ExecutionContext::closeAnyway);
  }

  private AcceleratorHandle handle(ManagedDevice device) {
    return new AcceleratorHandle(device.deviceId(), this);
  }
}
