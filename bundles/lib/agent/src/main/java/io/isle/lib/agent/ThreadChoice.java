package io.isle.lib.agent;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What holds for a thread, from what was chosen for its agents: it is as wakeful as the most
 * wakeful of them, sleeps no longer than any of them may, and runs where all of them may.
 *
 * @param processors in order; empty for any
 * @param left agents whose processors were left out of account, as they have none in common with
 *     those of agents before them by name
 */
record ThreadChoice(
    IdleMode idle, long maxSleepNs, SortedSet<Integer> processors, List<String> left) {
  /**
   * @param agents what was chosen, by name of the agent; at least one
   */
  static ThreadChoice of(SortedMap<String, AgentChoice> agents) {
    IdleMode idle = IdleMode.SLEEP;
    long maxSleepNs = AgentChoice.MAX_SLEEP_NS;
    SortedSet<Integer> processors = new TreeSet<>();
    List<String> left = new ArrayList<>();
    for (Map.Entry<String, AgentChoice> agent : agents.entrySet()) {
      AgentChoice choice = agent.getValue();
      idle = choice.idle().compareTo(idle) > 0 ? choice.idle() : idle;
      maxSleepNs = Math.min(maxSleepNs, choice.maxSleepNs());
      SortedSet<Integer> common = common(processors, choice.processors());
      if (common.isEmpty() && !choice.processors().isEmpty()) {
        left.add(agent.getKey());
      } else {
        processors = common;
      }
    }
    return new ThreadChoice(idle, maxSleepNs, processors, left);
  }

  /** An empty set is any processor, but in the result none when neither is empty. */
  private static SortedSet<Integer> common(Set<Integer> one, Set<Integer> other) {
    Collection<Integer> within = one.isEmpty() ? other : one;
    SortedSet<Integer> common = new TreeSet<>(within);
    if (!other.isEmpty()) {
      boolean ignored = common.retainAll(other);
    }
    return common;
  }
}
