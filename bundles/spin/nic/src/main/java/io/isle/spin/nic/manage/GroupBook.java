package io.isle.spin.nic.manage;

import io.isle.api.base.Errno;
import io.isle.api.spin.SpinException;
import io.isle.api.tenancy.Group;
import io.isle.api.tenancy.GroupKey;
import io.isle.api.tenancy.GroupTree;
import io.isle.api.tenancy.TenancyException;
import io.isle.spin.nic.live.GroupCount;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** Weights of groups, and what their contexts have done. Thread-safe. */
public final class GroupBook {
  /** The only key. */
  public static final GroupKey WEIGHT =
      new GroupKey(
          "spin.weight",
          "1 to 10000",
          "100",
          "share of the HPUs of a network interface, among its groups");

  private static final int MOST = 10_000;
  private static final int NORMAL = 100;
  private static final long NS_PER_US = 1000;

  private final Map<String, GroupCount> ended = new ConcurrentHashMap<>();
  private volatile GroupTree tree = GroupTree.EMPTY;
  private volatile Map<String, Boolean> evicted = Map.of();

  /**
   * Checks the weights of a tree.
   *
   * @throws TenancyException EINVAL or ERANGE with group and key
   */
  public void check(GroupTree proposed) {
    for (Group group : proposed.groups()) {
      String text = group.own().get(WEIGHT.key());
      if (text == null) {
        continue;
      }
      if (!text.matches("[0-9]{1,9}")) {
        throw new TenancyException(
            Errno.EINVAL, group.name(), WEIGHT.key(), "'" + text + "' is no number");
      }
      int value = Integer.parseInt(text);
      if (value < 1 || value > MOST) {
        throw new TenancyException(
            Errno.ERANGE, group.name(), WEIGHT.key(), value + " is not in 1.." + MOST);
      }
    }
  }

  /** Brings a checked tree into force. */
  public void apply(GroupTree committed) {
    tree = committed;
    evicted = Map.of();
  }

  /** The weight of a group; that of the root for an unknown one. */
  public int weight(String group) {
    return tree.find(group)
        .or(() -> tree.find(GroupTree.ROOT))
        .flatMap(one -> one.text(WEIGHT.key()))
        .map(Integer::parseInt)
        .orElse(NORMAL);
  }

  /** No context begins in a group until the next tree. */
  public void evict(String group) {
    evicted = Map.of(group, true);
  }

  /**
   * Checks that contexts may begin in a group.
   *
   * @throws SpinException EBUSY
   */
  public void checkOpen(String group) {
    if (evicted.containsKey(group)) {
      throw new SpinException(Errno.EBUSY, "the group " + group + " is being deleted");
    }
  }

  /** Adds the counters of a context that has ended. */
  public void ended(String group, GroupCount count) {
    ended.merge(group, count, GroupCount::plus);
  }

  /**
   * Counters of a group with all groups below it.
   *
   * @param live counters of the contexts of one group that have not ended, of all for an empty name
   */
  public SequencedMap<String, Long> stat(String group, Function<String, GroupCount> live) {
    SequencedMap<String, Long> stat = new LinkedHashMap<>();
    if (tree.find(group).isPresent()) {
      GroupCount sum = sum(group, live);
      stat.put("packets", sum.packets());
      stat.put("bytes", sum.bytes());
      stat.put("messages", sum.messages());
      stat.put("drops", sum.drops());
      stat.put("traps", sum.traps());
      stat.put("hpu_us", sum.hpuNs() / NS_PER_US);
    }
    return stat;
  }

  /** The root has all: a group that does not exist counts as the root. */
  private GroupCount sum(String group, Function<String, GroupCount> live) {
    if (group.equals(GroupTree.ROOT)) {
      return ended.values().stream().reduce(live.apply(""), GroupCount::plus);
    }
    GroupCount sum = ended.getOrDefault(group, GroupCount.NONE).plus(live.apply(group));
    for (Group child : tree.children(group)) {
      sum = sum.plus(sum(child.name(), live));
    }
    return sum;
  }
}
