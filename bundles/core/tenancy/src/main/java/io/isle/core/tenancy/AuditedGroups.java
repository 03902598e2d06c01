package io.isle.core.tenancy;

import io.isle.api.observe.Actor;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import io.isle.api.observe.AuditTrail;
import io.isle.api.tenancy.Group;
import io.isle.api.tenancy.GroupKey;
import io.isle.api.tenancy.GroupSpec;
import io.isle.api.tenancy.GroupStatus;
import io.isle.api.tenancy.GroupTree;
import io.isle.api.tenancy.Groups;
import io.isle.api.tenancy.TenancyException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Records each change of groups with its actor and its outcome. */
final class AuditedGroups implements Groups {
  private final Groups groups;
  private final AuditTrail trail;

  /**
   * @param audit gives the audit log, or null while none is present: then nothing is recorded
   */
  AuditedGroups(Groups groups, Supplier<Audit> audit) {
    this.groups = groups;
    trail = new AuditTrail(audit, TenancyException::new);
  }

  @Override
  public Group create(GroupSpec spec) {
    Map<String, String> text = new TreeMap<>(spec.keys());
    spec.parent().ifPresent(parent -> text.put(GroupSpec.PARENT, parent));
    return recorded("create", spec.name(), text.toString(), () -> groups.create(spec));
  }

  @Override
  public Group create(String name, Map<String, String> settings) {
    return recorded(
        "create",
        GroupSpec.shown(name),
        GroupSpec.shown(new TreeMap<>(settings).toString()),
        () -> groups.create(name, settings));
  }

  @Override
  public Group set(String name, Map<String, String> changes) {
    String text = new TreeMap<>(changes).toString();
    return recorded("set", name, text, () -> groups.set(name, changes));
  }

  @Override
  public void delete(String name) {
    String ignored =
        recorded(
            "delete",
            name,
            "",
            () -> {
              groups.delete(name);
              return name;
            });
  }

  @Override
  public GroupTree tree() {
    return groups.tree();
  }

  @Override
  public List<GroupKey> keys() {
    return groups.keys();
  }

  @Override
  public List<GroupStatus> list() {
    return groups.list();
  }

  @Override
  public Optional<GroupStatus> find(String name) {
    return groups.find(name);
  }

  @Override
  public SequencedMap<String, Long> stat(String name) {
    return groups.stat(name);
  }

  private <T> T recorded(String verb, String group, String detail, Supplier<T> action) {
    AuditEvent event = AuditEvent.of(Actor.current(), "group." + verb).object(group).detail(detail);
    return trail.recorded(event, action, result -> group);
  }
}
