package io.isle.sim;

import io.isle.api.base.GroupNames;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The file's events: what happens when. */
final class StepParser {
  private static final int MAX_STEPS = 10_000;
  private static final List<String> WHAT =
      List.of("group", "remove", "open", "close", "lose", "recover", "jump");

  private final List<Scenario.Device> devices;
  private final Set<String> contexts = new LinkedHashSet<>();

  private StepParser(List<Scenario.Device> devices, List<Scenario.Tenant> tenants) {
    this.devices = devices;
    tenants.forEach(tenant -> contexts.add(tenant.name()));
  }

  /**
   * @param all null for none
   */
  static List<Scenario.Step> steps(
      Field all, long durationNs, List<Scenario.Device> devices, List<Scenario.Tenant> tenants) {
    StepParser parser = new StepParser(devices, tenants);
    List<Scenario.Step> steps = new ArrayList<>();
    if (all != null) {
      all.sequence(0, MAX_STEPS).forEach(field -> steps.add(parser.step(field, durationNs)));
    }
    steps.sort(Comparator.comparingLong(Scenario.Step::atNs));
    return steps;
  }

  private Scenario.Step step(Field field, long durationNs) {
    Map<String, Field> keys =
        field.mapping(
            "at", "group", "set", "unset", "remove", "open", "close", "lose", "recover", "jump");
    long at = field.needed(keys, "at").duration(0, durationNs);
    List<String> named = WHAT.stream().filter(keys::containsKey).toList();
    if (named.size() != 1) {
      throw field.error("needs one of " + String.join(", ", WHAT));
    }
    Field what = keys.get(named.getFirst());
    if (!named.getFirst().equals("group")
        && (keys.containsKey("set") || keys.containsKey("unset"))) {
      throw field.error("set and unset need the key group");
    }
    return switch (named.getFirst()) {
      case "group" -> setGroup(at, what, keys);
      case "remove" -> new Scenario.Step.RemoveGroup(at, what.text(), what);
      case "open" -> new Scenario.Step.Open(at, context(what), what);
      case "close" -> new Scenario.Step.Close(at, context(what), what);
      case "lose" -> new Scenario.Step.Lose(at, TenantParser.known(devices, what), what);
      case "recover" -> new Scenario.Step.Recover(at, TenantParser.known(devices, what), what);
      default -> {
        long most = ScenarioParser.MAX_DURATION_NS;
        yield new Scenario.Step.Jump(at, what.duration(-most, most), what);
      }
    };
  }

  private static Scenario.Step setGroup(long at, Field what, Map<String, Field> keys) {
    if (!GroupNames.isName(what.text())) {
      throw what.error("'" + what.text() + "' is not the name of a group");
    }
    Map<String, String> set = new LinkedHashMap<>();
    Set<String> unset = new LinkedHashSet<>();
    if (keys.containsKey("set")) {
      set.putAll(GroupParser.settings(keys.get("set").mapping(GroupParser.keyNames())));
    }
    if (keys.containsKey("unset")) {
      for (Field name : keys.get("unset").sequence(1, GroupParser.keyNames().length)) {
        if (!List.of(GroupParser.keyNames()).contains(name.text())) {
          throw name.error(
              "unknown key; allowed here: " + String.join(", ", GroupParser.keyNames()));
        }
        unset.add(name.text());
      }
    }
    return new Scenario.Step.SetGroup(at, what.text(), set, unset, what);
  }

  private String context(Field at) {
    if (!contexts.contains(at.text())) {
      throw at.error("no context '" + at.text() + "'");
    }
    return at.text();
  }
}
