package io.isle.core.tenancy;

import io.isle.api.base.Errno;
import io.isle.api.tenancy.Group;
import io.isle.api.tenancy.GroupController;
import io.isle.api.tenancy.GroupKey;
import io.isle.api.tenancy.GroupTree;
import io.isle.api.tenancy.TenancyException;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** One key, {@code NAME.share}: numbers from 0 whose sum over all groups is 100 at most. */
class FakeController implements GroupController {
  static final int ALL = 100;

  private final String name;
  private final String key;
  final List<GroupTree> applied = new CopyOnWriteArrayList<>();
  final List<String> evicted = new CopyOnWriteArrayList<>();

  /** Groups in which something does not end. */
  final Set<String> stuck = new HashSet<>();

  /** What happens in apply. */
  volatile Runnable onApply = () -> {};

  /** What happens in evict. */
  volatile Runnable onEvict = () -> {};

  FakeController(String name) {
    this.name = name;
    this.key = name + ".share";
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public List<GroupKey> keys() {
    return List.of(new GroupKey(key, "0 to 100", "0", "a share"));
  }

  @Override
  public void check(GroupTree current, GroupTree proposed) {
    int sum = 0;
    for (Group group : proposed.groups()) {
      sum += share(group);
      if (sum > ALL) {
        throw new TenancyException(
            Errno.ENOSPC, group.name(), key, sum + " is more than all " + ALL);
      }
    }
  }

  /** The share that a group itself sets. */
  int share(Group group) {
    String text = group.own().getOrDefault(key, "0");
    try {
      int share = Integer.parseInt(text);
      if (share >= 0) {
        return share;
      }
    } catch (NumberFormatException e) {
      // refused below
    }
    throw new TenancyException(
        Errno.EINVAL, group.name(), key, "'" + text + "' is not a number from 0");
  }

  @Override
  public void apply(GroupTree committed) {
    onApply.run();
    applied.add(committed);
  }

  GroupTree last() {
    return applied.getLast();
  }

  @Override
  public SequencedMap<String, Long> stat(String group) {
    SequencedMap<String, Long> counters = new LinkedHashMap<>();
    counters.put(name + "_evicted", (long) evicted.size());
    return counters;
  }

  @Override
  public void evict(String group, Duration bound) {
    onEvict.run();
    evicted.add(group);
    if (stuck.contains(group)) {
      throw new TenancyException(Errno.ETIMEDOUT, "a context of " + group + " does not end");
    }
  }
}
