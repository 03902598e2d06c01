package io.isle.itests.inside;

import io.isle.api.base.Errno;
import io.isle.api.tenancy.Group;
import io.isle.api.tenancy.GroupController;
import io.isle.api.tenancy.GroupKey;
import io.isle.api.tenancy.GroupTree;
import io.isle.api.tenancy.TenancyException;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/** A controller of groups with one key, whose value is 1 at most. */
final class OneShare implements GroupController {
  static final String KEY = "itests.share";

  volatile GroupTree applied = GroupTree.EMPTY;

  @Override
  public String name() {
    return "itests";
  }

  @Override
  public List<GroupKey> keys() {
    return List.of(new GroupKey(KEY, "0 or 1", "0", "a share"));
  }

  @Override
  public void check(GroupTree current, GroupTree proposed) {
    for (Group group : proposed.groups()) {
      String text = group.own().getOrDefault(KEY, "0");
      if (Integer.parseInt(text) > 1) {
        throw new TenancyException(Errno.ERANGE, group.name(), KEY, text + " is more than 1");
      }
    }
  }

  @Override
  public void apply(GroupTree committed) {
    applied = committed;
  }

  @Override
  public SequencedMap<String, Long> stat(String group) {
    return Collections.unmodifiableSequencedMap(new LinkedHashMap<>());
  }

  @Override
  public void evict(String group, Duration bound) {
    // nothing lives here
  }
}
