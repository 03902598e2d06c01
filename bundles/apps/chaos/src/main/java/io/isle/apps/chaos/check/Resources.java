package io.isle.apps.chaos.check;

import io.isle.api.chaos.ChaosReport.Leak;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How many there are of each sort of resource, such as {@code threads isle-agent-#}.
 *
 * @param counts sorts that are not named have none
 */
public record Resources(Map<String, Long> counts) {
  public Resources {
    counts = Map.copyOf(counts);
  }

  /** Sorts of which there are more than before, by name. */
  public List<Leak> beyond(Resources before) {
    return new TreeMap<>(counts)
        .entrySet().stream()
            .filter(e -> e.getValue() > before.count(e.getKey()))
            .map(e -> new Leak(e.getKey(), before.count(e.getKey()), e.getValue()))
            .toList();
  }

  /** The greater count of each sort. */
  public Resources most(Resources other) {
    Map<String, Long> most = new TreeMap<>(counts);
    other.counts.forEach((name, count) -> most.merge(name, count, Math::max));
    return new Resources(most);
  }

  private long count(String name) {
    return counts.getOrDefault(name, 0L);
  }
}
