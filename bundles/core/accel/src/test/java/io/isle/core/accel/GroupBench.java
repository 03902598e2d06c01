package io.isle.core.accel;

import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.CapabilitySpec;
import io.isle.api.tenancy.GroupSpec;
import io.isle.api.tenancy.GroupTree;
import io.isle.api.tenancy.Permission;
import io.isle.core.accel.group.Trees;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** A core with one scripted device and groups, for tests. */
final class GroupBench implements AutoCloseable {
  final Fixture fixture = new Fixture();
  final GroupView controller = new GroupView(fixture.core);
  private GroupTree tree = GroupTree.EMPTY;

  /** As the service of groups does it: checked, then applied. */
  void groups(GroupSpec... specs) {
    GroupTree next = Trees.of(specs);
    controller.check(tree, next);
    controller.apply(next);
    tree = next;
  }

  GroupTree tree() {
    return tree;
  }

  /** A capability of a tenant that is named after its group. */
  Capability of(String group) {
    return of(group, Set.of(Permission.values()));
  }

  /** One that may do all but open realtime contexts. */
  Capability plain(String group) {
    Set<Permission> permissions = EnumSet.allOf(Permission.class);
    permissions.remove(Permission.ACCEL_CONTEXT_RT);
    return of(group, permissions);
  }

  private Capability of(String group, Set<Permission> permissions) {
    return fixture.capabilities.issue(
        new CapabilitySpec(group + "-tenant", permissions, Optional.empty(), 0).inGroup(group));
  }

  Context open(String group) {
    return open(group, ContextSpec.named("test"));
  }

  Context open(String group, ContextSpec spec) {
    return fixture.accelerator().open(of(group), spec);
  }

  @Override
  public void close() {
    fixture.close();
  }
}
