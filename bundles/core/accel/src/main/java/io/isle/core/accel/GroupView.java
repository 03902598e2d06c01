package io.isle.core.accel;

import io.isle.api.tenancy.GroupController;
import io.isle.api.tenancy.GroupKey;
import io.isle.api.tenancy.GroupTree;
import io.isle.api.tenancy.TenancyException;
import io.isle.core.accel.admission.Eviction;
import io.isle.core.accel.admission.GroupMembers;
import io.isle.core.accel.group.AccelGroupKeys;
import io.isle.core.accel.group.AccelGroups;
import java.time.Duration;
import java.util.List;
import java.util.SequencedMap;

/** Groups as their manager has them: checked, put in force, counted and ended. Thread-safe. */
final class GroupView implements GroupController {
  /** Of the platform's areas that limit groups. */
  private static final String NAME = "accel";

  private final AccelCore core;
  private final GroupMembers members;
  private final Eviction eviction;

  GroupView(AccelCore core) {
    this.core = core;
    this.members = core.members();
    this.eviction = new Eviction(members);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<GroupKey> keys() {
    return AccelGroupKeys.KEYS;
  }

  @Override
  public void check(GroupTree current, GroupTree proposed) {
    members.check(readable(current), AccelGroups.of(proposed));
  }

  /** A tree from before this controller came may have anything in it. */
  private AccelGroups readable(GroupTree current) {
    try {
      return AccelGroups.of(current);
    } catch (TenancyException e) {
      return members.groups();
    }
  }

  @Override
  public void apply(GroupTree committed) {
    AccelGroups next = AccelGroups.of(committed);
    // devices first: who is admitted by the new groups meets a device that has them
    core.applyGroups(next);
    members.apply(next, committed.held()).forEach(eviction::end);
  }

  @Override
  public SequencedMap<String, Long> stat(String group) {
    return members.accounts().stat(group);
  }

  @Override
  public void evict(String group, Duration bound) {
    eviction.run(group, bound);
  }
}
