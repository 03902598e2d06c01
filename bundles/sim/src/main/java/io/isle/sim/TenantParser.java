package io.isle.sim;

import static io.isle.sim.Durations.S;
import static io.isle.sim.Durations.US;

import io.isle.api.base.GroupNames;
import io.isle.api.device.Priority;
import io.isle.api.tenancy.GroupTree;
import io.isle.api.tenancy.TenancyException;
import io.isle.core.accel.group.AccelGroupKeys;
import io.isle.core.accel.group.Bandwidth;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Contexts of the file. */
final class TenantParser {
  private static final long MAX_TIME_NS = 3_600 * S;
  private static final int MAX_QUEUE = 4096;
  private static final int MAX_LIST = 10_000;
  private static final String[] KEYS = {
    "count",
    "device",
    "group",
    "priority",
    "guarantee",
    "queue",
    "execution_limit",
    "keep_pending",
    "deadline",
    "opens",
    "workload",
    "service"
  };

  private final List<Scenario.Device> devices;

  TenantParser(List<Scenario.Device> devices) {
    this.devices = devices;
  }

  /** With {@code count}, so many: NAME-1, NAME-2 and so on. */
  List<Scenario.Tenant> tenants(String name, Field field) {
    Map<String, Field> keys = field.mapping(KEYS);
    List<Scenario.Tenant> tenants = new ArrayList<>();
    if (!keys.containsKey("count")) {
      tenants.add(tenant(name, field, keys));
    } else {
      long count = keys.get("count").whole(1, ScenarioParser.MAX_TENANTS);
      for (int i = 1; i <= count; i++) {
        tenants.add(tenant(name + "-" + i, field, keys));
      }
    }
    return tenants;
  }

  private Scenario.Tenant tenant(String name, Field field, Map<String, Field> keys) {
    String device = device(field, keys.get("device"));
    Scenario.Arrivals arrivals = arrivals(field.needed(keys, "workload"));
    long usual = arrivals instanceof Scenario.Arrivals.Periodic periodic ? periodic.periodNs() : 0;
    return new Scenario.Tenant(
        name,
        device,
        Optional.ofNullable(keys.get("group")).map(TenantParser::group).orElse(GroupTree.ROOT),
        Optional.ofNullable(keys.get("priority")).map(at -> at.oneOf(Priority.class)),
        Optional.ofNullable(keys.get("guarantee")).map(at -> guarantee(device, at)),
        queue(keys.get("queue")),
        Optional.ofNullable(keys.get("execution_limit")).map(TenantParser::limit).orElse(0L),
        keys.containsKey("keep_pending") && keys.get("keep_pending").flag(),
        ScenarioParser.duration(keys, "deadline", 0, MAX_TIME_NS, usual),
        ScenarioParser.duration(keys, "opens", 0, ScenarioParser.MAX_DURATION_NS, 0),
        arrivals,
        times(field.needed(keys, "service"), 1),
        field);
  }

  private String device(Field context, Field at) {
    if (at == null) {
      if (devices.size() == 1) {
        return devices.getFirst().id();
      }
      throw context.error("the key 'device' is missing, which is needed with several devices");
    }
    return known(devices, at);
  }

  /** The id of a device of the file. */
  static String known(List<Scenario.Device> devices, Field at) {
    List<String> ids = devices.stream().map(Scenario.Device::id).toList();
    if (!ids.contains(at.text())) {
      throw at.error("no device '" + at.text() + "'; the devices are " + String.join(", ", ids));
    }
    return at.text();
  }

  private static String group(Field at) {
    if (!GroupNames.isName(at.text())) {
      throw at.error("'" + at.text() + "' is not the name of a group");
    }
    return at.text();
  }

  private static Bandwidth guarantee(String device, Field at) {
    try {
      return AccelGroupKeys.computeGuarantee(device + " " + at.text()).get(device);
    } catch (TenancyException e) {
      throw at.error(e.getMessage());
    }
  }

  /** Live, limits are whole microseconds. */
  private static long limit(Field at) {
    long ns = at.duration(0, MAX_TIME_NS);
    if (ns % US != 0) {
      throw at.error(at.text() + " is not a whole number of microseconds");
    }
    return ns;
  }

  private static int queue(Field at) {
    int depth = at == null ? 64 : (int) at.whole(2, MAX_QUEUE);
    if (Integer.bitCount(depth) != 1) {
      throw at.error(depth + " is not a power of two from 2 to " + MAX_QUEUE);
    }
    return depth;
  }

  private static Scenario.Arrivals arrivals(Field at) {
    if (!at.isMapping()) {
      if (at.text().equals("flood")) {
        return new Scenario.Arrivals.Flood();
      }
      throw at.error(
          "'"
              + at.text()
              + "' is not flood, or one of closed, periodic, poisson, trace with values");
    }
    Map<String, Field> keys =
        at.mapping("closed", "think", "periodic", "phase", "burst", "jitter", "poisson", "trace");
    if (keys.containsKey("closed")) {
      only(at, keys, "closed", "think");
      return new Scenario.Arrivals.Closed(
          (int) keys.get("closed").whole(1, MAX_QUEUE),
          keys.containsKey("think") ? times(keys.get("think"), 0) : new Scenario.Times.Constant(0));
    }
    if (keys.containsKey("periodic")) {
      only(at, keys, "periodic", "phase", "burst", "jitter");
      long period = keys.get("periodic").duration(1, MAX_TIME_NS);
      return new Scenario.Arrivals.Periodic(
          period,
          ScenarioParser.duration(keys, "phase", 0, MAX_TIME_NS, 0),
          (int) ScenarioParser.whole(keys, "burst", 1, MAX_QUEUE, 1),
          ScenarioParser.duration(keys, "jitter", 0, period, 0));
    }
    if (keys.containsKey("poisson")) {
      only(at, keys, "poisson");
      return new Scenario.Arrivals.Poisson(keys.get("poisson").duration(1, MAX_TIME_NS));
    }
    only(at, keys, "trace");
    return new Scenario.Arrivals.Trace(ascending(at.needed(keys, "trace")));
  }

  private static void only(Field at, Map<String, Field> keys, String first, String... more) {
    List<String> allowed = List.of(more);
    for (Map.Entry<String, Field> entry : keys.entrySet()) {
      if (!entry.getKey().equals(first) && !allowed.contains(entry.getKey())) {
        throw entry.getValue().error("cannot be combined with " + first);
      }
    }
    if (keys.isEmpty()) {
      throw at.error("needs closed, periodic, poisson or trace");
    }
  }

  private static List<Long> ascending(Field list) {
    List<Long> times = new ArrayList<>();
    for (Field at : list.sequence(1, MAX_LIST)) {
      long time = at.duration(0, ScenarioParser.MAX_DURATION_NS);
      if (!times.isEmpty() && time < times.getLast()) {
        throw at.error("is smaller than the time before");
      }
      times.add(time);
    }
    return times;
  }

  static Scenario.Times times(Field at, long min) {
    if (!at.isMapping()) {
      return new Scenario.Times.Constant(at.duration(min, MAX_TIME_NS));
    }
    Map<String, Field> keys = at.mapping("uniform", "exponential", "list");
    if (keys.size() != 1) {
      throw at.error("needs one of uniform, exponential, list");
    }
    Field value = keys.values().iterator().next();
    if (keys.containsKey("uniform")) {
      List<Field> ends = value.sequence(2, 2);
      long from = ends.get(0).duration(min, MAX_TIME_NS);
      return new Scenario.Times.Uniform(from, ends.get(1).duration(from, MAX_TIME_NS));
    }
    if (keys.containsKey("exponential")) {
      return new Scenario.Times.Exponential(value.duration(1, MAX_TIME_NS));
    }
    return new Scenario.Times.Listed(
        value.sequence(1, MAX_LIST).stream().map(f -> f.duration(min, MAX_TIME_NS)).toList());
  }
}
