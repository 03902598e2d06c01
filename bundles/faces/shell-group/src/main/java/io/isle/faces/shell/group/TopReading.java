package io.isle.faces.shell.group;

import io.isle.api.accel.AccelAdmin;
import io.isle.api.accel.GroupUsage;
import io.isle.api.tenancy.Group;
import io.isle.api.tenancy.GroupTree;
import io.isle.api.tenancy.Groups;
import io.isle.api.tenancy.TenancyException;
import io.isle.faces.shell.Services;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What is counted of groups at one time.
 *
 * @param atNs CLOCK_MONOTONIC
 * @param counters by group; one that went meanwhile has none
 * @param usages on devices; none where nobody keeps accounts
 */
record TopReading(
    long atNs, GroupTree tree, Map<String, Map<String, Long>> counters, List<GroupUsage> usages) {
  static TopReading of(Services services) {
    List<GroupUsage> usages =
        services.ifThere(AccelAdmin.class, AccelAdmin::groups).orElse(List.of());
    return services.with(Groups.class, groups -> of(groups, usages));
  }

  private static TopReading of(Groups groups, List<GroupUsage> usages) {
    GroupTree tree = groups.tree();
    Map<String, Map<String, Long>> counters = new HashMap<>();
    for (Group group : tree.groups()) {
      try {
        counters.put(group.name(), groups.stat(group.name()));
      } catch (TenancyException gone) {
        counters.put(group.name(), Map.of());
      }
    }
    return new TopReading(System.nanoTime(), tree, counters, usages);
  }
}
