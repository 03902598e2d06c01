package io.isle.sim;

import io.isle.api.tenancy.GroupKey;
import io.isle.api.tenancy.GroupSpec;
import io.isle.api.tenancy.GroupTree;
import io.isle.api.tenancy.TenancyException;
import io.isle.core.accel.group.AccelGroupKeys;
import io.isle.core.accel.group.AccelGroups;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Groups have the keys and values of their settings files. */
final class GroupParser {
  private final List<Scenario.Located<GroupSpec>> groups = new ArrayList<>();
  private final Map<String, Map<String, Field>> fields = new LinkedHashMap<>();

  /**
   * @param all null for none
   */
  GroupParser(Field all) {
    if (all == null) {
      return;
    }
    all.entries(GroupTree.MAX_GROUPS).forEach(this::read);
    try {
      var ignored =
          AccelGroups.of(GroupTree.of(groups.stream().map(Scenario.Located::value).toList()));
    } catch (TenancyException e) {
      throw blamed(e).orElse(all).error(e.getMessage());
    }
  }

  List<Scenario.Located<GroupSpec>> groups() {
    return groups;
  }

  private void read(String name, Field at) {
    Map<String, Field> keys = at.mapping(keyNames());
    fields.put(name, keys);
    Map<String, String> raw = settings(keys);
    try {
      groups.add(new Scenario.Located<>(GroupSpec.of(name, raw), at));
    } catch (TenancyException e) {
      throw Optional.ofNullable(keys.get(e.key())).orElse(at).error(e.getMessage());
    }
  }

  private Optional<Field> blamed(TenancyException e) {
    return Optional.ofNullable(fields.get(e.group())).map(keys -> keys.get(e.key()));
  }

  static String[] keyNames() {
    return Stream.concat(
            Stream.of(GroupSpec.PARENT), AccelGroupKeys.KEYS.stream().map(GroupKey::key))
        .toArray(String[]::new);
  }

  /** Each value is one that its key can have. */
  static Map<String, String> settings(Map<String, Field> keys) {
    Map<String, String> raw = new LinkedHashMap<>();
    keys.forEach(
        (key, field) -> {
          raw.put(key, field.setting());
          try {
            check(key, field.setting());
          } catch (TenancyException e) {
            throw field.error(e.getMessage());
          }
        });
    return raw;
  }

  private static void check(String key, String text) {
    Object ignored =
        switch (key) {
          case AccelGroupKeys.DEVICES -> AccelGroupKeys.devices(text);
          case AccelGroupKeys.MEMORY_MAX -> AccelGroupKeys.memoryMax(text);
          case AccelGroupKeys.PRIORITY -> AccelGroupKeys.priority(text);
          case AccelGroupKeys.COMPUTE_GUARANTEE -> AccelGroupKeys.computeGuarantee(text);
          case AccelGroupKeys.COMPUTE_MAX -> AccelGroupKeys.computeMax(text);
          case AccelGroupKeys.COMPUTE_WEIGHT -> AccelGroupKeys.weight(text);
          default -> text;
        };
  }
}
