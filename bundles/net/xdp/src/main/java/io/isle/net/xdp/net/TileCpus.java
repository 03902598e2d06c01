package io.isle.net.xdp.net;

import io.isle.lib.agent.AgentInfo;
import io.isle.net.xdp.settings.CpuWish;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Chooses the processors of tiles. Pure functions, safe for any thread. */
final class TileCpus {
  private TileCpus() {}

  /**
   * The processors of each tile; none for any.
   *
   * @param agents that run, without those of the tiles
   * @param there processors that this process may use
   */
  static List<Set<Integer>> of(
      CpuWish wish, int tiles, List<AgentInfo> agents, Set<Integer> there) {
    List<Set<Integer>> chosen = new ArrayList<>();
    Map<Integer, Integer> load = new HashMap<>();
    there.forEach(one -> load.put(one, 0));
    agents.forEach(agent -> agent.processors().forEach(one -> load.merge(one, 1, Integer::sum)));
    for (int tile = 0; tile < tiles; tile++) {
      if (wish.auto()) {
        int least = least(load, there);
        load.merge(least, 1, Integer::sum);
        chosen.add(Set.of(least));
      } else {
        chosen.add(wish.processors().isEmpty() ? Set.of() : Set.of(wish.processors().get(tile)));
      }
    }
    return chosen;
  }

  /** Of several the last, as interrupts often have the first. */
  private static int least(Map<Integer, Integer> load, Set<Integer> there) {
    return there.stream()
        .min(Comparator.comparing((Integer one) -> load.get(one)).thenComparing(one -> -one))
        .orElseThrow();
  }
}
