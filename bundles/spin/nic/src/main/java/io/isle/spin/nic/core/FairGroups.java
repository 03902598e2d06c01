package io.isle.spin.nic.core;

import io.isle.api.base.Errno;
import io.isle.api.spin.SpinException;
import java.util.ArrayList;
import java.util.List;

/** Which group's task is next: the one with the least weighted HPU time. */
final class FairGroups {
  private static final int MOST_WEIGHT = 10_000;

  private final List<GroupShare> shares = new ArrayList<>();

  /** The share of a group, for one more context. */
  GroupShare join(String group) {
    GroupShare share = find(group);
    if (share == null) {
      share = new GroupShare(group);
      shares.add(share);
    }
    boolean ignored = share.contexts(1);
    return share;
  }

  void leave(GroupShare share) {
    if (!share.contexts(-1)) {
      boolean ignored = shares.remove(share);
    }
  }

  /** Gives a group another weight; nothing if it has no context. */
  void weight(String group, int weight, long nowNs) {
    if (weight < 1 || weight > MOST_WEIGHT) {
      throw new SpinException(
          Errno.EINVAL, "spin.weight " + weight + " is not in 1.." + MOST_WEIGHT);
    }
    GroupShare share = find(group);
    if (share != null) {
      share.weight(weight, nowNs);
    }
  }

  private GroupShare find(String group) {
    for (GroupShare share : shares) {
      if (share.group().equals(group)) {
        return share;
      }
    }
    return null;
  }

  /** Lists a queue with its group if a task can be taken from it. */
  void list(MessageQueue queue, long nowNs) {
    if (queue.listed || !queue.isReady()) {
      return;
    }
    GroupShare share = queue.context().share();
    if (!share.active()) {
      start(share, nowNs);
    }
    share.add(queue);
  }

  private void start(GroupShare share, long nowNs) {
    boolean any = false;
    long least = 0;
    for (int i = 0; i < shares.size(); i++) {
      GroupShare other = shares.get(i);
      if (other.active() && (!any || other.time(nowNs) - least < 0)) {
        any = true;
        least = other.time(nowNs);
      }
    }
    if (any) {
      share.startAt(least, nowNs);
    }
  }

  /** The group whose task is next; null without a ready queue. */
  GroupShare next(long nowNs) {
    GroupShare next = null;
    for (int i = 0; i < shares.size(); i++) {
      GroupShare share = shares.get(i);
      if (share.isReady() && (next == null || share.time(nowNs) - next.time(nowNs) < 0)) {
        next = share;
      }
    }
    return next;
  }
}
