package io.isle.core.tenancy;

import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import io.isle.api.observe.Actor;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import io.isle.api.tenancy.Group;
import io.isle.api.tenancy.GroupKey;
import io.isle.api.tenancy.GroupSpec;
import io.isle.api.tenancy.GroupStatus;
import io.isle.api.tenancy.GroupTree;
import io.isle.api.tenancy.Groups;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Writes down what is asked of groups, by whom, and how it ended. */
final class AuditedGroups implements Groups {
  private final Groups groups;
  private final Supplier<Audit> audit;

  /**
   * @param audit null while there is none: then nothing is written down
   */
  AuditedGroups(Groups groups, Supplier<Audit> audit) {
    this.groups = groups;
    this.audit = audit;
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
    try {
      T result = action.get();
      record(event);
      return result;
    } catch (IsleException e) {
      record(event.failed(e.code(), e.getMessage()));
      throw e;
    } catch (RuntimeException e) {
      record(event.failed(Errno.EIO, e.toString()));
      throw e;
    }
  }

  private void record(AuditEvent event) {
    Audit book = audit.get();
    if (book != null) {
      book.record(event);
    }
  }
}
