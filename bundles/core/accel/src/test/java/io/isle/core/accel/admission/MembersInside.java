package io.isle.core.accel.admission;

import io.isle.core.accel.group.ReservedShares;
import java.util.List;

/** What tests of the whole look at within the members of groups. */
public final class MembersInside {
  private MembersInside() {}

  public static List<Membership> all(GroupMembers members) {
    return members.all();
  }

  public static List<Membership> of(GroupMembers members, String group) {
    return members.of(group);
  }

  public static ReservedShares reserved(GroupMembers members) {
    return members.reserved();
  }
}
