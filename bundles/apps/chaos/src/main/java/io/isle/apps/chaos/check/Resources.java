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
  /** How the names of the core's own handles begin. */
  public static final String HANDLES = "handles ";

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

  /** Sorts of the core's own handles, of which none is left when nobody works. */
  public List<String> handles() {
    return new TreeMap<>(counts)
        .entrySet().stream()
            .filter(e -> e.getKey().startsWith(HANDLES) && e.getValue() > 0)
            .map(e -> e.getKey() + ": " + e.getValue())
            .toList();
  }

  /** The smaller count of each sort: what one of the two has only for a moment does not count. */
  public Resources least(Resources other) {
    Map<String, Long> least = new TreeMap<>();
    counts.forEach((name, count) -> least.put(name, Math.min(count, other.count(name))));
    return new Resources(least);
  }

  private long count(String name) {
    return counts.getOrDefault(name, 0L);
  }
}
