package io.isle.core.accel.place;

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
 * Makes the contexts of a place anew on a device that has just been opened, those of groups with
 * processes of their own there. A group whose process cannot be had or fails meanwhile is left: it
 * is tried again by itself, and keeps nobody else waiting.
 */
final class PlaceRebuild {
  private static final System.Logger LOG = System.getLogger(PlaceRebuild.class.getName());

  private final Attachment place;
  private final OpenDevice opened;
  private final List<ContextRebuild> parts = new ArrayList<>();
  private final Set<ExecutionContext> left = new HashSet<>();

  PlaceRebuild(Attachment place, OpenDevice opened) {
    this.place = place;
    this.opened = opened;
  }

  /**
   * @throws AccelException when the device itself fails
   */
  void rebuild(List<ExecutionContext> contexts) {
    Map<String, List<ExecutionContext>> apart = new LinkedHashMap<>();
    List<ExecutionContext> together = new ArrayList<>();
    for (ExecutionContext context : contexts) {
      String group = context.seat().group();
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
      on(place.groups().reopen(opened, group), contexts);
    } catch (AccelException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "{0}: the process of group {1} cannot be had yet: {2}",
          place.deviceId(),
          group,
          e.getMessage());
      place.groups().detach(group);
      contexts.forEach(ExecutionContext::unbind);
      left.addAll(contexts);
      place.groups().defer(group, new RecoveryCause(RecoveryCause.Kind.EXCEPTION, e.getMessage()));
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
