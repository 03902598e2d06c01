package io.isle.core.tenancy;

import io.isle.api.base.ConfigFiles;
import io.isle.api.base.Errno;
import io.isle.api.observe.Actor;
import io.isle.api.observe.AuditEvent;
import io.isle.api.tenancy.Group;
import io.isle.api.tenancy.GroupSpec;
import io.isle.api.tenancy.GroupTree;
import io.isle.api.tenancy.TenancyException;
import java.io.UncheckedIOException;
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
 * The settings of groups between their files and the model: read again whenever a file may have
 * changed, changed on request. What others changed in a file is written down. Belongs to the
 * groups' thread.
 */
final class GroupSettings {
  /** Factory PID of groups' settings; {@code io.isle.group-team-a.cfg} is a file of it. */
  static final String FACTORY_PID = "io.isle.group";

  private static final Logger LOG = LoggerFactory.getLogger(GroupSettings.class);

  private final ConfigFiles files;
  private final GroupModel model;
  private final Consumer<AuditEvent> audit;
  private final Map<String, String> logged = new HashMap<>();
  private boolean read;

  /**
   * @param audit hears of changes that were not asked for here
   */
  GroupSettings(ConfigFiles files, GroupModel model, Consumer<AuditEvent> audit) {
    this.files = files;
    this.model = model;
    this.audit = audit;
  }

  /** The files may have changed. What is there at the first look is no change. */
  void refresh() {
    Map<String, Map<String, String>> before = model.files();
    boolean taken = take();
    if (taken && read) {
      edited(before, model.files());
    }
    read |= taken;
  }

  /** False when they cannot be read; then the known settings stay in force. */
  private boolean take() {
    try {
      model.files(files.instances(FACTORY_PID));
      logRefusals();
      return true;
    } catch (UncheckedIOException | IllegalStateException e) {
      LOG.warn("the settings of groups cannot be read; the known ones stay in force", e);
      return false;
    }
  }

  /** Says of each file once why it, or its newest state, is not in force. */
  void logRefusals() {
    for (String name : model.files().keySet()) {
      TenancyException refusal = model.refusal(name);
      String why = refusal == null ? "" : refusal.getMessage();
      if (!why.isEmpty() && !why.equals(logged.get(name))) {
        boolean there = model.tree().find(name).isPresent();
        LOG.warn(
            "{}: {}; {}",
            file(name),
            why,
            there ? "the last good settings stay in force" : "the group is held back until then");
      }
      logged.put(name, why);
    }
    logged.keySet().retainAll(model.files().keySet());
  }

  private void edited(
      Map<String, Map<String, String>> before, Map<String, Map<String, String>> now) {
    Set<String> names = new TreeSet<>(before.keySet());
    names.addAll(now.keySet());
    for (String name : names) {
      if (!Objects.equals(before.get(name), now.get(name))) {
        AuditEvent event = AuditEvent.of(Actor.PLATFORM, "group.configure").object(file(name));
        TenancyException refusal = model.refusal(name);
        audit.accept(
            refusal == null
                ? event.detail(changes(before.get(name), now.get(name)))
                : event.failed(refusal.code(), refusal.getMessage()));
      }
    }
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

  /** Makes a group; see {@link io.isle.api.tenancy.Groups#create}. */
  Group create(GroupSpec spec) {
    refresh();
    String name = spec.name();
    if (model.tree().find(name).isPresent() || model.files().containsKey(name)) {
      throw new TenancyException(
          Errno.EEXIST, "group " + name + " is there already; change it with group:set");
    }
    model.check(spec);
    Map<String, String> raw = new TreeMap<>(spec.keys());
    spec.parent().ifPresent(parent -> raw.put(GroupSpec.PARENT, parent));
    return write(spec, raw);
  }

  /** Changes a group; see {@link io.isle.api.tenancy.Groups#set}. */
  Group set(String name, Map<String, String> changes) {
    refresh();
    Optional<Group> group = model.tree().find(name);
    Map<String, String> file = model.files().get(name);
    if (file == null && group.isEmpty()) {
      throw unknown(name);
    }
    Map<String, String> written = new HashMap<>(changes);
    if (file == null) {
      // Its file is gone, and it is only there because of its children: all of it is written again.
      group.orElseThrow().own().forEach(written::putIfAbsent);
      group.orElseThrow().parent().ifPresent(up -> written.putIfAbsent(GroupSpec.PARENT, up));
    }
    Map<String, String> wanted = new HashMap<>(file == null ? Map.of() : file);
    wanted.putAll(written);
    wanted.values().removeIf(Objects::isNull);
    GroupSpec spec = GroupSpec.of(name, wanted);
    model.check(spec);
    return write(spec, written);
  }

  /** Removes a group; see {@link io.isle.api.tenancy.Groups#delete}. */
  void delete(String name) {
    refresh();
    if (name.equals(GroupTree.ROOT)) {
      throw new TenancyException(Errno.EPERM, "group " + name + " is the root and stays");
    }
    boolean there = model.tree().find(name).isPresent();
    if (!there && !model.files().containsKey(name)) {
      throw unknown(name);
    }
    if (there) {
      model.evict(name);
    }
    try {
      files.delete(pid(name));
    } catch (UncheckedIOException | IllegalArgumentException e) {
      model.reopen();
      throw new TenancyException(Errno.EIO, e.getMessage());
    }
    if (!take() || model.tree().find(name).isPresent()) {
      model.reopen();
      throw new TenancyException(
          Errno.EIO, "group " + name + " has no file any more and is still there; see group:show");
    }
  }

  private Group write(GroupSpec spec, Map<String, String> changes) {
    String name = spec.name();
    try {
      files.set(pid(name), changes);
    } catch (IllegalArgumentException e) {
      throw new TenancyException(Errno.EINVAL, e.getMessage());
    } catch (UncheckedIOException e) {
      throw new TenancyException(Errno.EIO, e.getMessage());
    }
    boolean taken = take();
    Optional<Group> now = model.tree().find(name).filter(group -> group.spec().equals(spec));
    if (taken && now.isPresent()) {
      return now.get();
    }
    TenancyException refusal = model.refusal(name);
    throw refusal != null
        ? refusal
        : new TenancyException(
            Errno.EIO, "group " + name + ": the change is in its file but cannot be read back");
  }

  private static TenancyException unknown(String name) {
    return new TenancyException(
        Errno.ENOENT, "there is no group '" + GroupSpec.shown(name) + "'; see group:list");
  }

  private static String pid(String name) {
    return FACTORY_PID + "-" + name;
  }

  private static String file(String name) {
    return pid(GroupSpec.shown(name)) + ".cfg";
  }
}
