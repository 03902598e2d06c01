package io.isle.apps.jobs.spec;

import io.isle.api.tenancy.GroupSpec;
import io.isle.api.tenancy.GroupTree;
import io.isle.api.tenancy.TenancyException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/** Reads {@code setup}. */
final class SetupParser {
  static final int MAX_DEVICES = 16;
  static final String GROUP = "[a-z0-9][a-z0-9-]{0,31}";
  static final int MAX_GROUPS = 64;
  static final int MAX_SETTINGS = 64;

  private final Parameters parameters;

  SetupParser(Parameters parameters) {
    this.parameters = parameters;
  }

  JobSpec.Setup setup(Located at) {
    if (at == null) {
      return new JobSpec.Setup(List.of(), List.of(), List.of());
    }
    Map<String, Located> keys = at.mapping("devices", "groups", "settings");
    return new JobSpec.Setup(
        each(keys.get("devices"), MAX_DEVICES, this::device),
        each(keys.get("groups"), MAX_GROUPS, this::group),
        each(keys.get("settings"), MAX_SETTINGS, this::settings));
  }

  private static <T> List<T> each(Located at, int max, BiFunction<String, Located, T> read) {
    return at == null
        ? List.of()
        : at.entries(max).entrySet().stream()
            .map(entry -> read.apply(entry.getKey(), entry.getValue()))
            .toList();
  }

  private JobSpec.NewDevice device(String id, Located where) {
    if (!id.matches(DeviceParser.ID)) {
      throw where.error("a device's id is its driver's name and a number, such as soft7");
    }
    Map<String, String> values = values(where);
    String driver = id.replaceAll("[0-9]+$", "");
    if (!values.getOrDefault("driver", driver).equals(driver)) {
      throw where.error("the id " + id + " belongs to the driver " + driver);
    }
    values.put("driver", driver);
    return new JobSpec.NewDevice(id, values, where);
  }

  /** What the keys are worth, the groups' controllers say. */
  private JobSpec.NewGroup group(String name, Located where) {
    if (!name.matches(GROUP)) {
      throw where.error(
          "a group's name has 1 to 32 characters of a-z, 0-9 and '-', the first not '-'");
    }
    if (name.equals(GroupTree.ROOT)) {
      throw where.error("the group '" + name + "' always exists; use another name");
    }
    Map<String, String> keys = new LinkedHashMap<>();
    where
        .entries(GroupSpec.MAX_KEYS)
        .forEach(
            (key, value) -> {
              if (!key.matches("[a-z][a-z0-9_.]{0,62}")) {
                throw value.error("is not a valid key of a group");
              }
              keys.put(key, value.isEmpty() ? "" : parameters.text(value));
            });
    try {
      GroupSpec ignored = GroupSpec.of(name, keys);
    } catch (TenancyException e) {
      throw where.error(e.getMessage());
    }
    return new JobSpec.NewGroup(name, keys, where);
  }

  private JobSpec.Settings settings(String pid, Located where) {
    if (!pid.matches("io\\.isle\\.[A-Za-z0-9._-]{1,100}")
        || pid.startsWith("io.isle.device-")
        || pid.startsWith("io.isle.group-")) {
      throw where.error(
          "only settings of io.isle.* can be changed here; settings of devices go to 'devices',"
              + " those of groups to 'groups'");
    }
    return new JobSpec.Settings(pid, values(where), where);
  }

  private Map<String, String> values(Located where) {
    Map<String, String> values = new LinkedHashMap<>();
    where
        .entries(MAX_SETTINGS)
        .forEach(
            (key, value) -> {
              if (!key.matches("[A-Za-z][A-Za-z0-9._-]{0,99}")) {
                throw value.error("is not a valid key of a setting");
              }
              values.put(key, parameters.text(value));
            });
    return values;
  }
}
