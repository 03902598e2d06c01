package io.isle.inference.engine.fallback;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/** Outcomes of groups, by which it is said which groups count beside each other. */
final class GroupComparison {
  private final Map<String, Long> outcomes = new TreeMap<>();
  private final Set<String> ripe = new TreeSet<>();
  private GroupLimits limits = GroupLimits.DEFAULT;

  void limits(GroupLimits changed) {
    limits = changed;
    ripe.removeIf(group -> !limits.isRipe(outcomes.get(group)));
  }

  /** Takes the outcomes of a group so far; whether it counts from now on. */
  boolean ripens(String group, long total) {
    outcomes.put(group, total);
    if (!limits.isRipe(total)) {
      ripe.remove(group);
      return false;
    }
    return ripe.add(group);
  }

  void forget(String group) {
    outcomes.remove(group);
    ripe.remove(group);
  }

  void clear() {
    outcomes.clear();
    ripe.clear();
  }

  /** Whether so many of the groups that count have a fault that it is the model's. */
  boolean isModels(Predicate<String> hasFault) {
    long same = ripe.stream().filter(hasFault).count();
    return limits.isModels(same, ripe.size());
  }
}
