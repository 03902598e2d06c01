package io.isle.core.accel.sched;

/** Writes what a core is at the beginning of a journal: its settings, then its state. */
final class Recording {
  private final Placement placement;
  private final Slots slots;
  private final CoreState state;
  private final Preemption preemption;

  Recording(Placement placement, Slots slots, Lease lease, Preemption preemption) {
    this.placement = placement;
    this.slots = slots;
    this.preemption = preemption;
    state = new CoreState(placement, slots, lease);
  }

  void write() {
    Inputs inputs = placement.inputs;
    inputs.plain(Inputs.POLICY, placement.policy().ordinal());
    inputs.plain(Inputs.LIMIT, slots.limit());
    inputs.plain(Inputs.PARALLEL, preemption.parallel());
    inputs.plain(Inputs.STOPS, preemption.stops() ? 1 : 0);
    boolean[] written = new boolean[placement.groups.capacity()];
    for (int g = 0; g < written.length; g++) {
      writeGroup(g, written);
    }
    Contexts contexts = placement.contexts;
    for (int c = 0; c < contexts.capacity(); c++) {
      if (contexts.isOpen(c)) {
        inputs.context(
            Inputs.OPEN,
            c,
            contexts.group(c),
            contexts.priority(c),
            contexts.quota(c),
            contexts.period(c));
      }
    }
    state.visit(
        (field, index, is) -> {
          if (is != 0) {
            inputs.state(field, index, is);
          }
          return is;
        });
    inputs.plain(Inputs.BEGIN, 0);
  }

  /** After its parent. */
  private void writeGroup(int g, boolean[] written) {
    Groups groups = placement.groups;
    if (!groups.isPresent(g) || written[g]) {
      return;
    }
    written[g] = true;
    if (g != Groups.ROOT) {
      writeGroup(groups.parent(g), written);
    }
    placement.inputs.group(
        g,
        groups.parent(g),
        groups.guaranteeQuota(g),
        groups.guaranteePeriod(g),
        placement.ceilings.quota(g),
        placement.ceilings.period(g),
        groups.weight(g));
  }
}
