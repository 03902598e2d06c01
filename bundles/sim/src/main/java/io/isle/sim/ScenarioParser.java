package io.isle.sim;

import static io.isle.sim.Durations.S;
import static io.isle.sim.Durations.US;

import io.isle.api.driver.DeviceInfo;
import io.isle.core.accel.group.AccelGroupKeys;
import io.isle.core.accel.sched.SchedulingPolicy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Turns a file into a {@link Scenario}; everything in it is understood or refused. */
final class ScenarioParser {
  static final int MAX_DEVICES = 16;
  static final int MAX_TENANTS = 1024;
  static final long MAX_DURATION_NS = 86_400 * S;
  private static final int MAX_UNITS = 65_536;
  private static final int MAX_PARALLEL = 1024;
  private static final int MAX_DEPTH = 1024;
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

  private ScenarioParser() {}

  static Scenario read(Path file) {
    return parse(ScenarioFile.read(file));
  }

  static Scenario parse(Field root) {
    Map<String, Field> keys =
        root.mapping("seed", "duration", "devices", "groups", "contexts", "events");
    List<Scenario.Device> devices = new ArrayList<>();
    root.needed(keys, "devices")
        .entries(MAX_DEVICES)
        .forEach((id, field) -> devices.add(device(id, field)));
    GroupParser groups = new GroupParser(keys.get("groups"));
    List<Scenario.Tenant> tenants = new ArrayList<>();
    TenantParser parser = new TenantParser(devices);
    root.needed(keys, "contexts")
        .entries(MAX_TENANTS)
        .forEach((name, field) -> tenants.addAll(parser.tenants(name(name, field), field)));
    if (tenants.size() > MAX_TENANTS) {
      throw keys.get("contexts")
          .error("has " + tenants.size() + " contexts; the limit is " + MAX_TENANTS);
    }
    checkUnique(tenants);
    Field seed = keys.get("seed");
    long durationNs = root.needed(keys, "duration").duration(1, MAX_DURATION_NS);
    return new Scenario(
        seed == null ? 0 : seed.whole(0, Long.MAX_VALUE),
        durationNs,
        devices,
        groups.groups(),
        tenants,
        StepParser.steps(keys.get("events"), durationNs, devices, tenants));
  }

  private static void checkUnique(List<Scenario.Tenant> tenants) {
    Map<String, Scenario.Tenant> seen = new LinkedHashMap<>();
    for (Scenario.Tenant tenant : tenants) {
      if (seen.put(tenant.name(), tenant) != null) {
        throw tenant.at().error("another context has the name '" + tenant.name() + "'");
      }
    }
  }

  private static String name(String name, Field at) {
    if (!NAME.matcher(name).matches()) {
      throw at.error("a name has 1 to 64 letters, digits, '.', '_' or '-'");
    }
    return name;
  }

  private static Scenario.Device device(String id, Field field) {
    Map<String, Field> keys =
        field.mapping(
            "units",
            "parallel",
            "preemption",
            "check_interval",
            "preemption_latency",
            "resume",
            "depth",
            "policy",
            "stall",
            "failures");
    try {
      var ignored = AccelGroupKeys.devices(id);
    } catch (io.isle.api.tenancy.TenancyException e) {
      throw field.error(e.getMessage());
    }
    if (id.equals(AccelGroupKeys.ALL) || id.isBlank() || id.contains(" ")) {
      throw field.error("'" + id + "' is not the id of a device, such as sim0");
    }
    int units = (int) whole(keys, "units", 1, MAX_UNITS, 1);
    return new Scenario.Device(
        id,
        units,
        (int) whole(keys, "parallel", 1, Math.min(units, MAX_PARALLEL), 1),
        Optional.ofNullable(keys.get("preemption"))
            .map(at -> at.oneOf(DeviceInfo.Preemption.class))
            .orElse(DeviceInfo.Preemption.NONE),
        duration(keys, "check_interval", US, S, 100 * US),
        duration(keys, "preemption_latency", 0, S, 0),
        !keys.containsKey("resume") || keys.get("resume").flag(),
        (int) whole(keys, "depth", 1, MAX_DEPTH, 0),
        Optional.ofNullable(keys.get("policy")).map(at -> at.oneOf(SchedulingPolicy.class)),
        keys.containsKey("stall")
            ? TenantParser.times(keys.get("stall"), 0)
            : new Scenario.Times.Constant(0),
        keys.containsKey("failures") ? keys.get("failures").fraction() : 0);
  }

  static long whole(Map<String, Field> keys, String key, long min, long max, long otherwise) {
    Field at = keys.get(key);
    return at == null ? otherwise : at.whole(min, max);
  }

  static long duration(Map<String, Field> keys, String key, long min, long max, long otherwise) {
    Field at = keys.get(key);
    return at == null ? otherwise : at.duration(min, max);
  }
}
