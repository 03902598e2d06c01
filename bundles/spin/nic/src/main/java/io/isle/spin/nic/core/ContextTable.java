package io.isle.spin.nic.core;

import io.isle.api.base.Errno;
import io.isle.api.spin.PacketMatcher;
import io.isle.api.spin.Ruleset;
import io.isle.api.spin.RulesetPreset;
import io.isle.api.spin.Rulesets;
import io.isle.api.spin.SpinException;
import io.isle.spin.nic.plan.ContextPlan;
import io.isle.spin.nic.plan.NicLimits;
import io.isle.spin.nic.slot.SlotBudget;
import java.util.ArrayList;
import java.util.List;

/** The attached contexts by slot, the matcher of their rules, and their parts of the slots. */
final class ContextTable {
  private final NicContext[] contexts = new NicContext[Rulesets.SLOTS];
  private final NicLimits limits;
  private final SlotBudget budget;
  private PacketMatcher matcher;

  ContextTable(NicLimits limits) {
    this.limits = limits;
    budget = new SlotBudget(limits);
    rebuild();
  }

  PacketMatcher matcher() {
    return matcher;
  }

  SlotBudget budget() {
    return budget;
  }

  void add(int slot, ContextPlan plan, FairGroups groups) {
    if (slot < 0 || slot >= contexts.length) {
      throw new SpinException(
          Errno.EINVAL, "slot " + slot + " is not in 0.." + (contexts.length - 1));
    }
    if (contexts[slot] != null) {
      throw new SpinException(
          Errno.EBUSY, "slot " + slot + " has a context; detach it, or take another slot");
    }
    contexts[slot] = new NicContext(slot, plan, groups.join(plan.group()), limits, budget);
    rebuild();
  }

  void remove(int slot) {
    contexts[slot] = null;
    rebuild();
  }

  void replace(int slot, ContextPlan plan) {
    get(slot).plan(plan);
    rebuild();
  }

  private void rebuild() {
    List<Ruleset> rulesets = new ArrayList<>();
    int attached = 0;
    for (NicContext context : contexts) {
      attached += context == null ? 0 : 1;
      rulesets.add(context == null ? RulesetPreset.BYPASS.ruleset() : context.plan().ruleset());
    }
    matcher = new PacketMatcher(new Rulesets(rulesets));
    budget.contexts(attached);
  }

  /** For the data path: the context of a match. */
  NicContext at(int slot) {
    return contexts[slot];
  }

  NicContext get(int slot) {
    if (slot < 0 || slot >= contexts.length || contexts[slot] == null) {
      throw new SpinException(Errno.ENOENT, "slot " + slot + " has no context");
    }
    return contexts[slot];
  }
}
