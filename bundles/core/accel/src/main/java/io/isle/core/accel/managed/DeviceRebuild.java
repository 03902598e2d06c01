package io.isle.core.accel.managed;

import io.isle.api.accel.AccelException;
import io.isle.api.device.RecoveryCause;
import io.isle.core.accel.device.GroupDevices;
import io.isle.core.accel.device.OpenDevice;
import io.isle.core.accel.submit.ExecutionContext;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Makes the contexts of a managed device anew on an opening of it, those of groups with processes
 * of their own there. A group whose process cannot be had or fails meanwhile is left: it is tried
 * again by itself, and keeps nobody else waiting.
 */
final class DeviceRebuild {
  private static final System.Logger LOG = System.getLogger(DeviceRebuild.class.getName());

  private final DeviceOpenings openings;
  private final OpenDevice opened;
  private final List<ContextRebuild> parts = new ArrayList<>();
  private final Set<ExecutionContext> left = new HashSet<>();

  DeviceRebuild(DeviceOpenings openings, OpenDevice opened) {
    this.openings = openings;
    this.opened = opened;
  }

  /**
   * @throws AccelException when the device itself fails
   */
  void rebuild(List<ExecutionContext> contexts) {
    Map<String, List<ExecutionContext>> apart = new LinkedHashMap<>();
    List<ExecutionContext> together = new ArrayList<>();
    for (ExecutionContext context : contexts) {
      String group = context.record().group();
      if (GroupDevices.isApart(opened, group)) {
        apart.computeIfAbsent(group, name -> new ArrayList<>()).add(context);
      } else {
        together.add(context);
      }
    }
    on(opened, together);
    apart.forEach(this::group);
  }

  private void on(OpenDevice device, List<ExecutionContext> contexts) {
    ContextRebuild part = new ContextRebuild(device);
    part.rebuild(contexts);
    parts.add(part);
  }

  private void group(String group, List<ExecutionContext> contexts) {
    try {
      on(openings.groups().reopen(opened, group), contexts);
    } catch (AccelException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "{0}: the driver process of group {1} is not available yet: {2}",
          openings.deviceId(),
          group,
          e.getMessage());
      openings.groups().detach(group);
      contexts.forEach(ExecutionContext::unbind);
      left.addAll(contexts);
      openings
          .groups()
          .defer(group, new RecoveryCause(RecoveryCause.Kind.EXCEPTION, e.getMessage()));
    }
  }

  /** Contexts that wait for the process of their group. */
  Set<ExecutionContext> left() {
    return left;
  }

  /** See {@link ContextRebuild#refused}. */
  Map<ExecutionContext, String> refused() {
    Map<ExecutionContext, String> all = new LinkedHashMap<>();
    parts.forEach(part -> all.putAll(part.refused()));
    return all;
  }

  int rebuilt() {
    return parts.stream().mapToInt(ContextRebuild::rebuilt).sum();
  }

  int restored() {
    return parts.stream().mapToInt(ContextRebuild::restored).sum();
  }

  int lost() {
    return parts.stream().mapToInt(ContextRebuild::lost).sum();
  }
}
