package io.isle.inference.engine.decide;

import io.isle.lib.model.ModelEngine;
import java.util.Arrays;
import java.util.List;

/** A proven model in memory, with what has happened to it. */
public final class LoadedModel {
  private static final GroupUse[] NO_USES = {};

  private final ModelEngine engine;
  private final boolean timedAlways;
  private final ModelShape shape;
  private final Gate gate = new Gate();
  private final ModelStats stats = new ModelStats();

  /** By the number of the group in the slot; replaced as a whole. */
  private volatile GroupUse[] uses = NO_USES;

  /**
   * @param timedAlways whether each call is timed, as those of nets are; else each 16th
   */
  public LoadedModel(ModelEngine engine, boolean timedAlways, ModelShape shape) {
    this.engine = engine;
    this.timedAlways = timedAlways;
    this.shape = shape;
  }

  /** Computes its answers. */
  public ModelEngine engine() {
    return engine;
  }

  boolean timedAlways() {
    return timedAlways;
  }

  /** Ranges that guard it. */
  public ModelShape shape() {
    return shape;
  }

  /** Whether calls of any group may use it. */
  public Gate gate() {
    return gate;
  }

  /** Counters since it was loaded. */
  public ModelStats stats() {
    return stats;
  }

  /** Its use by a group, by the group's number in the slot. */
  public GroupUse use(int group) {
    return uses[group];
  }

  /** Begins the uses by groups that are new in the slot. Under the slot's lock. */
  void prepareUses(List<String> groups) {
    GroupUse[] next = Arrays.copyOf(uses, groups.size());
    for (int i = 0; i < next.length; i++) {
      if (next[i] == null || !next[i].group().equals(groups.get(i))) {
        next[i] = new GroupUse(groups.get(i));
      }
    }
    uses = next;
  }

  /** Its uses by all groups, by number. */
  public List<GroupUse> uses() {
    return List.of(uses);
  }
}
