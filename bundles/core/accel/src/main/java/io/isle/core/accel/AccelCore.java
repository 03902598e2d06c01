package io.isle.core.accel;

import io.isle.api.base.Errno;
import io.isle.api.base.MonotonicClock;
import io.isle.api.driver.DevicePort;
import io.isle.api.observe.AuditTrail;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.Permission;
import io.isle.api.tenancy.TenancyException;
import io.isle.core.accel.admission.GroupFigures;
import io.isle.core.accel.admission.GroupMembers;
import io.isle.core.accel.context.CoreServices;
import io.isle.core.accel.estimate.SubmissionTime;
import io.isle.core.accel.fence.FenceRegistry;
import io.isle.core.accel.group.AccelGroups;
import io.isle.core.accel.ids.CoreIds;
import io.isle.core.accel.managed.ClosingDevices;
import io.isle.core.accel.managed.DeviceAttachment;
import io.isle.core.accel.managed.DeviceEngine;
import io.isle.core.accel.managed.ManagedDevice;
import io.isle.core.accel.settings.AccelLimits;
import io.isle.core.accel.settings.SchedulingChoice;
import io.isle.core.accel.timeline.HostTimelines;
import io.isle.lib.agent.AgentHost;
import io.isle.lib.agent.SerialExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** All managed devices. Thread-safe. */
final class AccelCore implements DevicePort, AutoCloseable {
  private volatile AccelLimits limits;
  private volatile AccelGroups groups = AccelGroups.EMPTY;
  private Map<String, SchedulingChoice> scheduling = Map.of();
  private final CoreServices services;
  private final AgentHost host;
  private final GroupMembers members;
  private final GroupFigures figures;
  private final HostTimelines hostTimelines;
  private final Map<String, ManagedDevice> devices = new ConcurrentHashMap<>();

  /**
   * Devices whose driver's owner let go, each with the timer that ends its wait for the next {@link
   * #attach}.
   */
  private final Map<String, Future<?>> detached = new HashMap<>();

  private final ClosingDevices closing =
      new ClosingDevices(
          Executors.newCachedThreadPool(
              Thread.ofPlatform().daemon().name("isle-accel-close-", 0).factory()));

  private final SerialExecutor timer = new SerialExecutor("isle-accel-timer");

  AccelCore(
      AccelLimits limits,
      AgentHost host,
      Capabilities capabilities,
      MonotonicClock clock,
      AuditTrail audit) {
    this.limits = limits;
    FenceRegistry fences = new FenceRegistry();
    this.services =
        new CoreServices(
            capabilities, CoreIds.create(), audit, fences, new SubmissionTime(), clock);
    this.members = new GroupMembers(clock);
    this.figures = new GroupFigures(members, clock);
    this.host = host;
    this.hostTimelines = new HostTimelines(capabilities, fences.timelines(), clock, audit);
    // so that the threads of a node do not depend on what it has met
    timer.start();
  }

  /** The administrator changed something, which holds at once. */
  synchronized void configure(AccelLimits now) {
    limits = now;
    devices.values().forEach(device -> device.limitInFlight(now.maxInFlight()));
  }

  /** The administrator's choices by device; others choose by themselves. Holds at once. */
  synchronized void schedule(Map<String, SchedulingChoice> now) {
    scheduling = Map.copyOf(now);
    devices.values().forEach(device -> device.schedule(choice(device.deviceId())));
  }

  private SchedulingChoice choice(String deviceId) {
    return scheduling.getOrDefault(deviceId, SchedulingChoice.AUTO);
  }

  /** These groups hold from now on, everywhere. */
  synchronized void applyGroups(AccelGroups now) {
    groups = now;
    devices.values().forEach(device -> device.schedule(now));
  }

  /** The groups that hold. */
  AccelGroups groups() {
    return groups;
  }

  /** Waits until an earlier managed device of the same id is closed. */
  @Override
  public Attachment attach(String deviceId) {
    while (true) {
      synchronized (this) {
        if (!closing.has(deviceId)) {
          return attached(deviceId);
        }
      }
      closing.await(deviceId);
    }
  }

  private Attachment attached(String deviceId) {
    ManagedDevice waiting = devices.get(deviceId);
    Future<?> end = detached.remove(deviceId);
    if (end != null) {
      boolean ignored = end.cancel(false);
      return waiting.attachment();
    }
    if (waiting != null) {
      throw new IllegalStateException(deviceId + " is attached already");
    }
    ManagedDevice device =
        new ManagedDevice(
            deviceId,
            services,
            members,
            new DeviceEngine.Workers(host, this::background),
            () -> limits,
            new DeviceAttachment.Ending(() -> detach(deviceId), () -> devices.remove(deviceId)));
    device.schedule(groups);
    device.schedule(choice(deviceId));
    devices.put(deviceId, device);
    return device.attachment();
  }

  /** Work that agents have no time for; dropped after the end, when agents go, too. */
  private void background(Runnable work) {
    boolean ignored = timer.post(work);
  }

  private synchronized void detach(String deviceId) {
    if (!timer.isShut() && !detached.containsKey(deviceId)) {
      detached.put(
          deviceId, timer.after(Duration.ofMillis(limits.detachGraceMs()), () -> expire(deviceId)));
    }
  }

  /** The lock is shared by all devices, so a device is taken out under it and closed outside. */
  private synchronized void expire(String deviceId) {
    if (detached.remove(deviceId) != null) {
      closing.begin(devices.remove(deviceId));
    }
  }

  /** Which contexts live in which groups. */
  GroupMembers members() {
    return members;
  }

  /** What groups have of devices. */
  GroupFigures figures() {
    return figures;
  }

  /**
   * Checks that a capability was issued here and is valid.
   *
   * @param device that it is to hold for
   * @throws io.isle.api.tenancy.TenancyException EACCES or EREVOKED
   */
  void checkHolder(Capability capability, String device) {
    // any permission of its own will do: this is about who asks
    for (Permission permission : capability.permissions()) {
      services.capabilities().check(capability, permission, device);
      return;
    }
    throw new TenancyException(Errno.EACCES, "the capability lacks the permission");
  }

  /** The services that all managed devices share. */
  CoreServices services() {
    return services;
  }

  /** Timelines and devices, as far as fences go. */
  FenceRegistry fences() {
    return services.fences();
  }

  /** Timelines of tenants. */
  HostTimelines hostTimelines() {
    return hostTimelines;
  }

  AuditTrail audit() {
    return services.audit();
  }

  MonotonicClock clock() {
    return services.clock();
  }

  Optional<ManagedDevice> device(String deviceId) {
    return Optional.ofNullable(devices.get(deviceId));
  }

  /** Managed devices in the order of their ids: by name, then by number. */
  List<ManagedDevice> devices() {
    List<ManagedDevice> all = new ArrayList<>(devices.values());
    all.sort(
        Comparator.comparing((ManagedDevice p) -> p.deviceId().replaceAll("[0-9]+$", ""))
            .thenComparingInt(p -> p.deviceId().length())
            .thenComparing(ManagedDevice::deviceId));
    return all;
  }

  @Override
  public void close() {
    devices().forEach(ManagedDevice::closeContexts);
    synchronized (this) {
      timer.abort();
      detached.clear();
    }
    closing.close();
    devices().forEach(device -> device.attachment().close());
  }
}
