package io.isle.core.tenancy;

import io.isle.api.tenancy.Group;
import io.isle.api.tenancy.GroupKey;
import io.isle.api.tenancy.GroupStatus;
import io.isle.api.tenancy.GroupTree;
import io.isle.api.tenancy.TenancyException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** What is to be seen of the groups at one time. Immutable. */
record GroupSnapshot(
    GroupTree tree,
    List<GroupKey> keys,
    List<GroupStatus> statuses,
    List<Controllers.Bound> controllers) {
  GroupSnapshot {
    keys = List.copyOf(keys);
    statuses = List.copyOf(statuses);
  }

  /**
   * As it is now.
   *
   * @param refusals by group, why its file is not in force
   */
  static GroupSnapshot of(
      GroupTree tree,
      Map<String, Map<String, String>> files,
      Map<String, TenancyException> refusals,
      Controllers controllers) {
    List<GroupKey> keys = new ArrayList<>();
    controllers.all().forEach(bound -> keys.addAll(bound.keys()));
    List<GroupStatus> statuses = new ArrayList<>();
    for (Group group : tree.groups()) {
      statuses.add(
          new GroupStatus(
              group.name(),
              Optional.of(group),
              files.getOrDefault(group.name(), Map.of()),
              error(refusals, group.name()),
              controllers.unknown(group)));
    }
    for (String name : new TreeSet<>(files.keySet())) {
      if (tree.find(name).isEmpty()) {
        statuses.add(
            new GroupStatus(
                name, Optional.empty(), files.get(name), error(refusals, name), List.of()));
      }
    }
    return new GroupSnapshot(tree, keys, statuses, controllers.all());
  }

  private static String error(Map<String, TenancyException> refusals, String name) {
    TenancyException refusal = refusals.get(name);
    return refusal == null ? "" : refusal.getMessage();
  }
}
