package io.isle.core.accel.admission;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.ContextSpec;
import io.isle.api.base.Errno;
import io.isle.api.device.Priority;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.Permission;
import io.isle.api.tenancy.TenancyException;
import io.isle.core.accel.group.AccelGroup;
import io.isle.core.accel.group.AccelGroupKeys;
import io.isle.core.accel.group.AccelGroups;
import io.isle.core.accel.group.Admission;
import io.isle.core.accel.group.Bandwidth;
import io.isle.core.accel.group.ReservedShares;
import java.util.Optional;
import java.util.SortedSet;

/** What a group lets a context be, and what a living context needs of it. Pure functions. */
final class GroupRules {
  private GroupRules() {}

  /**
   * Whether a context may come.
   *
   * @param others what contexts have of their own already
   * @param own its own guarantee
   * @return its priority
   * @throws TenancyException EACCES when the group may not use the device, or for realtime without
   *     the permission, or for a guarantee that is not cut out of a group's; EINVAL for realtime
   *     without a guarantee
   * @throws AccelException EBUSY when its guarantee is too much, with the sum
   */
  static Priority admit(
      AccelGroups tree,
      ReservedShares others,
      String device,
      ContextSpec spec,
      Capability capability,
      Optional<Bandwidth> own) {
    AccelGroup group = tree.resolve(capability.group());
    if (!group.allows(device)) {
      throw new TenancyException(
          Errno.EACCES,
          group.name(),
          AccelGroupKeys.DEVICES,
          "group "
              + group.name()
              + " may not use "
              + device
              + "; the group's devices are "
              + names(group));
    }
    boolean guaranteed = own.isPresent() || tree.guarantee(group.name(), device).isPresent();
    Priority priority =
        Admission.priority(group, spec.priority(), capability.permissions(), guaranteed);
    own.ifPresent(
        wanted -> {
          checkPromise(tree, group.name(), capability);
          reserve(tree, others, group.name(), device, wanted);
        });
    return priority;
  }

  private static String names(AccelGroup group) {
    SortedSet<String> devices = group.devices().orElseThrow();
    return devices.isEmpty() ? "none" : String.join(" ", devices);
  }

  /**
   * What no group was promised is everybody's: who takes of it for sure takes it from groups that
   * an administrator makes later.
   */
  private static void checkPromise(AccelGroups tree, String group, Capability capability) {
    boolean promised = tree.wayUp(group).stream().anyMatch(above -> above.guarantee().isPresent());
    if (!promised && !capability.permissions().contains(Permission.ACCEL_CONTEXT_RT)) {
      throw new TenancyException(
          Errno.EACCES,
          "guaranteedBandwidthUs: neither group "
              + group
              + " nor a group above it has a "
              + AccelGroupKeys.COMPUTE_GUARANTEE
              + "; to reserve time that no group is guaranteed, the capability needs the"
              + " permission "
              + Permission.ACCEL_CONTEXT_RT.text());
    }
  }

  private static void reserve(
      AccelGroups tree, ReservedShares others, String group, String device, Bandwidth wanted) {
    try {
      ReservedShares ignored = Admission.reserve(tree, others, group, device, wanted);
    } catch (TenancyException e) {
      throw new AccelException(
          e.code(), "guaranteedBandwidthUs: group " + group + ": " + e.getMessage(), e);
    }
  }

  /**
   * A realtime context keeps a guarantee.
   *
   * @param before to name the group whose change is to blame
   * @throws TenancyException EBUSY when it would be left without
   */
  static void checkRealtime(AccelGroups before, AccelGroups next, Membership member) {
    AccelGroup group = next.resolve(member.group());
    if (member.priority() != Priority.REALTIME
        || member.guarantee().isPresent()
        || next.guarantee(group.name(), member.device()).isPresent()) {
      return;
    }
    String blamed =
        next.wayUp(group.name()).stream()
            .filter(one -> !before.find(one.name()).equals(Optional.of(one)))
            .findFirst()
            .orElse(group)
            .name();
    throw new TenancyException(
        Errno.EBUSY,
        blamed,
        AccelGroupKeys.COMPUTE_GUARANTEE,
        member.device()
            + ": the context "
            + member.spec().name()
            + " of "
            + member.capability().tenant()
            + " in "
            + member.group()
            + " is realtime and needs a guarantee; close this context first");
  }
}
