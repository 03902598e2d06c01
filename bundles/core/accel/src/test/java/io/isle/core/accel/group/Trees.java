package io.isle.core.accel.group;

import io.isle.api.tenancy.GroupSpec;
import io.isle.api.tenancy.GroupTree;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Trees of groups, written down. */
public final class Trees {
  private Trees() {}

  public static GroupSpec group(String name, String... keys) {
    Map<String, String> raw = new HashMap<>();
    for (int i = 0; i < keys.length; i += 2) {
      raw.put(keys[i], keys[i + 1]);
    }
    return GroupSpec.of(name, raw);
  }

  public static GroupTree of(GroupSpec... groups) {
    return GroupTree.of(List.of(groups));
  }

  public static AccelGroups accel(GroupSpec... groups) {
    return AccelGroups.of(of(groups));
  }
}
