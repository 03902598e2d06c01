package io.isle.core.tenancy;

import io.isle.api.observe.Actor;
import io.isle.api.observe.AuditEvent;
import io.isle.api.tenancy.TenancyException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes down what others than the commands changed in files of groups, and says of each file once
 * why it is not in force, and that it is after all. Belongs to the groups' thread.
 */
final class GroupEdits {
  private static final Logger LOG = LoggerFactory.getLogger(GroupEdits.class);

  private final GroupModel model;
  private final Consumer<AuditEvent> audit;

  /** By name, why its file was not in force when that was told of last; empty if it was. */
  private final Map<String, String> told = new HashMap<>();

  GroupEdits(GroupModel model, Consumer<AuditEvent> audit) {
    this.model = model;
    this.audit = audit;
  }

  /**
   * The model has taken the files as they are now.
   *
   * @param before as they were
   * @param own the group whose file a command changed: who asked for that writes it down
   */
  void changed(Map<String, Map<String, String>> before, Optional<String> own) {
    Map<String, Map<String, String>> now = model.files();
    Set<String> names = new TreeSet<>(before.keySet());
    names.addAll(now.keySet());
    for (String name : names) {
      if (!Objects.equals(before.get(name), now.get(name))) {
        if (own.filter(name::equals).isEmpty()) {
          edited(name, before.get(name), now.get(name));
        }
        if (model.refusal(name) == null) {
          // that it is in force is told with this
          told.put(name, "");
        }
      }
    }
  }

  /**
   * A file was edited.
   *
   * @param before null if it was not there
   * @param now null if it is not there
   */
  void edited(String name, Map<String, String> before, Map<String, String> now) {
    TenancyException refusal = model.refusal(name);
    audit.accept(
        refusal == null
            ? event(name).detail(changes(before, now))
            : event(name).failed(refusal.code(), refusal.getMessage()));
  }

  /** Says what has changed of that since the last time. */
  void tellRefusals() {
    for (String name : model.files().keySet()) {
      TenancyException refusal = model.refusal(name);
      String why = refusal == null ? "" : refusal.getMessage();
      String before = told.put(name, why);
      if (!why.isEmpty() && !why.equals(before)) {
        boolean there = model.tree().find(name).isPresent();
        LOG.warn(
            "{}: {}; {}",
            GroupSettings.file(name),
            why,
            there
                ? "the last good settings stay in force"
                : "the group is not in force until its file is corrected");
      }
      if (why.isEmpty() && before != null && !before.isEmpty()) {
        LOG.info("{}: the settings are in force now", GroupSettings.file(name));
        audit.accept(event(name).detail("in force: " + changes(null, model.files().get(name))));
      }
    }
    told.keySet().retainAll(model.files().keySet());
  }

  private static AuditEvent event(String name) {
    return AuditEvent.of(Actor.PLATFORM, "group.configure").object(GroupSettings.file(name));
  }

  /** Key to new value; null where a key is gone. */
  private static String changes(Map<String, String> before, Map<String, String> now) {
    if (now == null) {
      return "deleted";
    }
    Map<String, String> old = before == null ? Map.of() : before;
    Map<String, String> changes = new TreeMap<>();
    Set<String> keys = new HashSet<>(old.keySet());
    keys.addAll(now.keySet());
    for (String key : keys) {
      if (!Objects.equals(old.get(key), now.get(key))) {
        changes.put(key, now.get(key));
      }
    }
    return changes.toString();
  }
}
