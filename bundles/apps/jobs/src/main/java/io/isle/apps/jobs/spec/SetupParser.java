package io.isle.apps.jobs.spec;

import io.isle.api.jobs.SetupKind;
import io.isle.api.jobs.SetupResource;
import io.isle.api.tenancy.GroupSpec;
import io.isle.api.tenancy.GroupTree;
import io.isle.api.tenancy.TenancyException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/** Reads {@code setup}. */
final class SetupParser {
  static final int MAX_DEVICES = 16;
  static final String GROUP = "[a-z0-9][a-z0-9-]{0,31}";
  static final int MAX_GROUPS = 64;
  static final int MAX_SETTINGS = 64;

  static final int MAX_RESOURCES = 16;
  static final Set<String> KEYS = Set.of("devices", "groups", "settings");
  private static final String RESOURCE = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}";

  private final Parameters parameters;
  private final Map<String, SetupKind> kinds;

  /**
   * @param kinds the kinds of resources that other bundles bring, by key
   */
  SetupParser(Parameters parameters, Map<String, SetupKind> kinds) {
    this.parameters = parameters;
    this.kinds = kinds;
  }

  JobSpec.Setup setup(Located at) {
    if (at == null) {
      return new JobSpec.Setup(List.of(), List.of(), List.of(), List.of());
    }
    Map<String, Located> keys =
        at.mapping(
            Stream.concat(KEYS.stream().sorted(), kinds.keySet().stream().sorted())
                .toArray(String[]::new));
    List<JobSpec.NewResource> resources = new ArrayList<>();
    keys.forEach(
        (key, where) -> {
          if (!KEYS.contains(key)) {
            SetupKind kind = kinds.get(key);
            resources.addAll(each(where, MAX_RESOURCES, (name, one) -> resource(kind, name, one)));
          }
        });
    return new JobSpec.Setup(
        each(keys.get("devices"), MAX_DEVICES, this::device),
        each(keys.get("groups"), MAX_GROUPS, this::group),
        each(keys.get("settings"), MAX_SETTINGS, this::settings),
        List.copyOf(resources));
  }

  private JobSpec.NewResource resource(SetupKind kind, String name, Located where) {
    if (!name.matches(RESOURCE)) {
      throw where.error(
          "a name has 1 to 64 letters, digits, . _ - and begins with a letter or digit");
    }
    Map<String, Located> given =
        where.isEmpty() ? Map.of() : where.mapping(ParameterValues.names(kind.parameters()));
    SetupResource resource =
        new SetupResource(
            name, new ParameterValues(parameters).read(kind.parameters(), given, where));
    ParameterValues.report(kind.check(resource), given, where);
    return new JobSpec.NewResource(kind, resource, where);
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
