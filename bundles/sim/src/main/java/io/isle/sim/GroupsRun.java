package io.isle.sim;

import io.isle.api.device.Priority;
import io.isle.api.tenancy.GroupSpec;
import io.isle.api.tenancy.GroupTree;
import io.isle.api.tenancy.Permission;
import io.isle.api.tenancy.TenancyException;
import io.isle.core.accel.group.AccelGroup;
import io.isle.core.accel.group.AccelGroups;
import io.isle.core.accel.group.Admission;
import io.isle.core.accel.group.Bandwidth;
import io.isle.core.accel.group.ReservedShares;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The groups of a simulation: admitted as live, and given to every device. */
final class GroupsRun {
  private final Scenario scenario;
  private final VirtualTime time;
  private final Collection<DeviceRun> devices;
  private final Collection<TenantRun> tenants;

  /** By group, then device; of groups that are gone, too. */
  private final Map<String, Map<String, Promise>> promises = new TreeMap<>();

  /** Groups on their way out, and why their going is asked for. */
  private final Map<String, Scenario.Step.RemoveGroup> leaving = new LinkedHashMap<>();

  private final Set<TenantRun> living = new LinkedHashSet<>();
  private GroupTree tree = GroupTree.EMPTY;
  private AccelGroups groups = AccelGroups.EMPTY;
  private ReservedShares reserved = ReservedShares.NONE;

  GroupsRun(
      Scenario scenario,
      VirtualTime time,
      Collection<DeviceRun> devices,
      Collection<TenantRun> tenants) {
    this.scenario = scenario;
    this.time = time;
    this.devices = devices;
    this.tenants = tenants;
  }

  /** Those of the beginning come, all together. */
  void begin() {
    List<GroupSpec> specs = scenario.groups().stream().map(Scenario.Located::value).toList();
    GroupTree first = GroupTree.of(specs);
    try {
      change(first);
    } catch (TenancyException e) {
      Field at =
          scenario.groups().stream()
              .filter(group -> group.value().name().equals(e.group()))
              .map(Scenario.Located::at)
              .findFirst()
              .orElseThrow(() -> e);
      throw at.refused(e.getMessage());
    }
  }

  void set(Scenario.Step.SetGroup step) {
    try {
      Map<String, String> raw = new LinkedHashMap<>();
      tree.find(step.group())
          .ifPresent(
              group -> {
                raw.putAll(group.own());
                group.parent().ifPresent(parent -> raw.put(GroupSpec.PARENT, parent));
              });
      raw.keySet().removeAll(step.unset());
      raw.putAll(step.set());
      change(tree.with(GroupSpec.of(step.group(), raw)));
    } catch (TenancyException e) {
      throw step.at().refused(e.getMessage());
    }
  }

  private void change(GroupTree next) {
    AccelGroups read = AccelGroups.of(next);
    Admission.check(groups, read, reserved);
    tree = next;
    groups = read;
    devices.forEach(device -> device.apply(groups));
    promise();
  }

  /** Returns the contexts that have to end first, oldest first. */
  List<TenantRun> remove(Scenario.Step.RemoveGroup step) {
    if (step.group().equals(GroupTree.ROOT)) {
      throw step.at().refused("the root group cannot be removed");
    }
    if (tree.find(step.group()).isEmpty()) {
      throw step.at().refused("no group '" + step.group() + "'");
    }
    if (!tree.children(step.group()).isEmpty()) {
      throw step.at().refused("group '" + step.group() + "' has child groups; remove them first");
    }
    leaving.put(step.group(), step);
    List<TenantRun> own =
        living.stream().filter(tenant -> tenant.spec().group().equals(step.group())).toList();
    if (own.isEmpty()) {
      leave(step.group());
    }
    return own;
  }

  private void leave(String group) {
    Scenario.Step.RemoveGroup step = leaving.remove(group);
    try {
      change(tree.without(group));
    } catch (TenancyException e) {
      throw step.at().refused(e.getMessage());
    }
  }

  /** Admits a context; returns its priority. */
  Priority admit(TenantRun tenant, Field at) {
    Scenario.Tenant spec = tenant.spec();
    AccelGroup group =
        groups
            .find(spec.group())
            .filter(found -> !leaving.containsKey(found.name()))
            .orElseThrow(() -> at.refused("no group '" + spec.group() + "'"));
    if (!group.allows(spec.device())) {
      throw at.refused(
          spec.device() + " is not one of the devices that " + group.name() + " may use");
    }
    try {
      Optional<Bandwidth> own = spec.guarantee();
      ReservedShares with =
          own.isEmpty()
              ? reserved
              : Admission.reserve(groups, reserved, spec.group(), spec.device(), own.get());
      boolean guaranteed =
          own.isPresent() || groups.guarantee(spec.group(), spec.device()).isPresent();
      Priority priority =
          Admission.priority(
              group, spec.priority().orElse(null), Set.of(Permission.values()), guaranteed);
      reserved = with;
      living.add(tenant);
      own.ifPresent(bandwidth -> tenant.promise.set(part(bandwidth), time.nowNs()));
      return priority;
    } catch (TenancyException e) {
      throw at.refused(e.getMessage());
    }
  }

  /** Its context is gone. */
  void gone(TenantRun tenant) {
    Scenario.Tenant spec = tenant.spec();
    living.remove(tenant);
    tenant.promise.set(0, time.nowNs());
    if (spec.guarantee().isPresent()) {
      reserved = reserved.minus(spec.group(), spec.device(), spec.guarantee().get().share());
    }
    boolean last = living.stream().noneMatch(other -> other.spec().group().equals(spec.group()));
    if (last && leaving.containsKey(spec.group())) {
      leave(spec.group());
    }
  }

  private void promise() {
    for (AccelGroup group : groups.all()) {
      for (DeviceRun device : devices) {
        var ignored = promise(group.name(), device.spec().id());
      }
    }
    promises.forEach(
        (group, devices) ->
            devices.forEach(
                (device, promise) ->
                    promise.set(
                        groups
                            .find(group)
                            .flatMap(AccelGroup::guarantee)
                            .map(all -> all.get(device))
                            .map(GroupsRun::part)
                            .orElse(0.0),
                        time.nowNs())));
  }

  /** What a group was promised of a device. */
  Promise promise(String group, String device) {
    return promises
        .computeIfAbsent(group, name -> new TreeMap<>())
        .computeIfAbsent(device, id -> new Promise());
  }

  private static double part(Bandwidth bandwidth) {
    return (double) bandwidth.quotaUs() / bandwidth.periodUs();
  }

  /** All that there were, by name. */
  Collection<String> names() {
    return new ArrayList<>(promises.keySet());
  }

  /** Contexts of a group on a device, with what is below it now. */
  List<TenantRun> within(String group, String device) {
    return tenants.stream()
        .filter(tenant -> tenant.spec().device().equals(device))
        .filter(tenant -> isWithin(tenant.spec().group(), group))
        .toList();
  }

  private boolean isWithin(String name, String above) {
    return name.equals(above)
        || groups.wayUp(name).stream().anyMatch(group -> group.name().equals(above));
  }
}
