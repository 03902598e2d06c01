package io.isle.apps.jobs.spec;

import io.isle.api.driver.FaultInjection;
import io.isle.api.tenancy.GroupSpec;
import io.isle.api.tenancy.GroupTree;
import io.isle.api.tenancy.TenancyException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Reads {@code setup} and {@code faults}. */
final class SetupParser {
  static final int MAX_DEVICES = 16;
  static final String GROUP = "[a-z0-9][a-z0-9-]{0,31}";
  static final int MAX_GROUPS = 64;
  static final int MAX_SETTINGS = 64;
  static final int MAX_FAULTS = 256;

  static final long MAX_COUNT = 1_000_000;

  /** Faults that drivers know, and those that come from outside; {@code hang} is one of these. */
  private static final Set<String> FAULTS = faults();

  private final Parameters parameters;

  SetupParser(Parameters parameters) {
    this.parameters = parameters;
  }

  private static Set<String> faults() {
    Set<String> names = new TreeSet<>(List.of(JobSpec.Fault.KILL, JobSpec.Fault.STUCK));
    for (FaultInjection.Fault fault : FaultInjection.Fault.values()) {
      names.add(fault.name().toLowerCase(Locale.ROOT));
    }
    return names;
  }

  JobSpec.Setup setup(Located at) {
    if (at == null) {
      return new JobSpec.Setup(List.of(), List.of(), List.of());
    }
    Map<String, Located> keys = at.mapping("devices", "groups", "settings");
    List<JobSpec.NewDevice> devices = new ArrayList<>();
    if (keys.containsKey("devices")) {
      keys.get("devices")
          .entries(MAX_DEVICES)
          .forEach((id, where) -> devices.add(device(id, where)));
    }
    List<JobSpec.NewGroup> groups = new ArrayList<>();
    if (keys.containsKey("groups")) {
      keys.get("groups")
          .entries(MAX_GROUPS)
          .forEach((name, where) -> groups.add(group(name, where)));
    }
    List<JobSpec.Settings> settings = new ArrayList<>();
    if (keys.containsKey("settings")) {
      keys.get("settings")
          .entries(MAX_SETTINGS)
          .forEach((pid, where) -> settings.add(settings(pid, where)));
    }
    return new JobSpec.Setup(List.copyOf(devices), List.copyOf(groups), List.copyOf(settings));
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
      throw where.error("a group is 1 to 32 characters of a-z, 0-9 and '-', the first no '-'");
    }
    if (name.equals(GroupTree.ROOT)) {
      throw where.error("the group '" + name + "' is always there");
    }
    Map<String, String> keys = new LinkedHashMap<>();
    where
        .entries(GroupSpec.MAX_KEYS)
        .forEach(
            (key, value) -> {
              if (!key.matches("[a-z][a-z0-9_.]{0,62}")) {
                throw value.error("is no key of a group");
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
                throw value.error("is no key of a setting");
              }
              values.put(key, parameters.text(value));
            });
    return values;
  }

  List<JobSpec.Fault> faults(Located section, JobSpec.Setup setup) {
    List<JobSpec.Fault> faults = new ArrayList<>();
    if (section != null) {
      for (Located at : section.sequence(MAX_FAULTS)) {
        faults.add(fault(at, setup));
      }
    }
    return List.copyOf(faults);
  }

  private JobSpec.Fault fault(Located at, JobSpec.Setup setup) {
    Map<String, Located> keys =
        at.mapping("device", "fault", "after", "after_bytes", "after_ms", "count", "value");
    if (!keys.containsKey("device") || !keys.containsKey("fault")) {
      throw at.error("needs 'device' and 'fault'");
    }
    String device = parameters.text(keys.get("device"));
    if (setup.devices().stream().noneMatch(d -> d.id().equals(device))) {
      throw keys.get("device")
          .error("'" + device + "': faults act only on devices that 'setup' makes");
    }
    String fault = parameters.text(keys.get("fault"));
    if (!FAULTS.contains(fault)) {
      throw keys.get("fault").error("'" + fault + "' is none of " + String.join(", ", FAULTS));
    }
    List<String> triggers = keys.keySet().stream().filter(key -> key.startsWith("after")).toList();
    if (triggers.size() > 1) {
      throw at.error("takes one of 'after', 'after_bytes', 'after_ms'");
    }
    String trigger = triggers.isEmpty() ? "after" : triggers.getFirst();
    long count = number(keys.get("count"), 1);
    if (count < 1 || count > MAX_COUNT) {
      throw keys.get("count").error("must be a number from 1 to " + MAX_COUNT);
    }
    return new JobSpec.Fault(
        device,
        fault,
        switch (trigger) {
          case "after_bytes" -> JobSpec.Fault.Trigger.BYTES;
          case "after_ms" -> JobSpec.Fault.Trigger.MS;
          default -> JobSpec.Fault.Trigger.PIECES;
        },
        number(keys.get(trigger), 0),
        count,
        number(keys.get("value"), 0),
        at);
  }

  private long number(Located at, long otherwise) {
    if (at == null) {
      return otherwise;
    }
    long value = Numbers.size(parameters.text(at)).orElse(-1);
    if (value < 0) {
      throw at.error("must be a whole number, 0 or more");
    }
    return value;
  }
}
