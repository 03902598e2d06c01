package io.isle.core.tenancy;

import io.isle.api.base.ConfigFiles;
import io.isle.api.base.Errno;
import io.isle.api.base.GroupNames;
import io.isle.api.tenancy.Group;
import io.isle.api.tenancy.GroupSpec;
import io.isle.api.tenancy.GroupTree;
import io.isle.api.tenancy.TenancyException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settings of groups between their files and the model: read again whenever a file may have
 * changed, changed on request. Belongs to the groups' thread.
 */
final class GroupSettings {
  /** Factory PID of groups' settings; {@code io.isle.group-team-a.cfg} is a file of it. */
  static final String FACTORY_PID = "io.isle.group";

  private static final Logger LOG = LoggerFactory.getLogger(GroupSettings.class);

  /** How often a change is written before it counts as lost. */
  private static final int WRITES = 3;

  private final ConfigFiles files;
  private final GroupModel model;
  private final GroupEdits edits;
  private final Consumer<String> written;
  private boolean read;

  /**
   * @param edits hears of changes that were not asked for here
   * @param written hears the name of each group whose file was written here
   */
  GroupSettings(ConfigFiles files, GroupModel model, GroupEdits edits, Consumer<String> written) {
    this.files = files;
    this.model = model;
    this.edits = edits;
    this.written = written;
  }

  /**
   * The files may have changed. What is there at the first look is no change.
   *
   * @return false when they cannot be read; then the known settings stay in force
   */
  boolean refresh() {
    return take(Optional.empty());
  }

  /**
   * @param own the group whose file was changed here: who asked for that writes it down
   */
  private boolean take(Optional<String> own) {
    Map<String, Map<String, String>> before = model.files();
    Map<String, Map<String, String>> now;
    try {
      now = read ? files.instances(FACTORY_PID) : known();
    } catch (UncheckedIOException | IllegalStateException e) {
      LOG.warn(
          "the settings files of groups cannot be read; the last good settings stay in force", e);
      return false;
    }
    model.files(now);
    if (read) {
      edits.changed(before, own);
    }
    read = true;
    edits.tellRefusals();
    return true;
  }

  /** At the first look: files may have gone while nobody was there to see it. */
  private Map<String, Map<String, String>> known() {
    boolean gone = false;
    for (String name : files.instances(FACTORY_PID).keySet()) {
      gone |= isGone(name) && files.delete(pid(name));
    }
    if (gone) {
      LOG.info(
          "files of groups were deleted while the platform was stopped; these groups are removed");
    }
    return files.instances(FACTORY_PID);
  }

  /**
   * The file of a group was written here a while ago. Who watches the folder has never seen it if
   * it has gone since then, and does not miss it.
   */
  void forgetIfGone(String name) {
    if (model.files().containsKey(name) && isGone(name)) {
      boolean ignored = files.delete(pid(name));
      ignored = refresh();
    }
  }

  private boolean isGone(String name) {
    return GroupNames.isName(name) && files.read(pid(name)).isEmpty();
  }

  /** Makes a group; see {@link io.isle.api.tenancy.Groups#create}. */
  Group create(GroupSpec spec) {
    boolean ignored = refresh();
    String name = spec.name();
    if (model.tree().find(name).isPresent()
        || model.files().containsKey(name)
        || onDisk(name).isPresent()) {
      throw new TenancyException(
          Errno.EEXIST, "group " + name + " exists already; use group:set to change its settings");
    }
    model.check(spec);
    Map<String, String> raw = new TreeMap<>(spec.keys());
    spec.parent().ifPresent(parent -> raw.put(GroupSpec.PARENT, parent));
    return write(spec, raw);
  }

  /** Changes a group; see {@link io.isle.api.tenancy.Groups#set}. */
  Group set(String name, Map<String, String> changes) {
    boolean ignored = refresh();
    Optional<Group> group = model.tree().find(name);
    Map<String, String> file = onDisk(name).orElse(null);
    if (file == null && group.isEmpty()) {
      throw unknown(name);
    }
    Map<String, String> rewritten = new HashMap<>(changes);
    if (file == null) {
      // Its file is gone, and it is only there because of its children: all of it is written again.
      group.orElseThrow().own().forEach(rewritten::putIfAbsent);
      group.orElseThrow().parent().ifPresent(up -> rewritten.putIfAbsent(GroupSpec.PARENT, up));
    }
    Map<String, String> wanted = new HashMap<>(file == null ? Map.of() : file);
    wanted.putAll(rewritten);
    wanted.values().removeIf(Objects::isNull);
    GroupSpec spec = GroupSpec.of(name, wanted);
    model.check(spec);
    Map<String, String> known = model.files().get(name);
    Group now = write(spec, rewritten);
    if (file != null && !file.equals(known)) {
      // an edit that nobody had seen before it was taken along
      edits.edited(name, known, file);
    }
    return now;
  }

  /** Removes a group; see {@link io.isle.api.tenancy.Groups#delete}. */
  void delete(String name) {
    boolean ignored = refresh();
    if (name.equals(GroupTree.ROOT)) {
      throw new TenancyException(
          Errno.EPERM, "group " + name + " is the root group and cannot be deleted");
    }
    boolean there = model.tree().find(name).isPresent();
    if (!there && !model.files().containsKey(name) && onDisk(name).isEmpty()) {
      throw unknown(name);
    }
    if (there) {
      model.evict(name);
    }
    try {
      ignored = files.delete(pid(name));
    } catch (UncheckedIOException | IllegalArgumentException e) {
      model.reopen();
      throw new TenancyException(Errno.EIO, e.getMessage());
    }
    if (!take(Optional.of(name)) || model.tree().find(name).isPresent()) {
      model.reopen();
      throw new TenancyException(
          Errno.EIO,
          "group " + name + " is still in force although its file is deleted; see group:show");
    }
  }

  /**
   * Whoever watches the folder may have read an older state of the file just before and pass it on
   * just after, over the new one; then the file is written again.
   */
  private Group write(GroupSpec spec, Map<String, String> changes) {
    String name = spec.name();
    for (int write = 0; write < WRITES; write++) {
      try {
        files.set(pid(name), changes);
      } catch (IllegalArgumentException e) {
        throw new TenancyException(Errno.EINVAL, e.getMessage());
      } catch (UncheckedIOException e) {
        throw new TenancyException(Errno.EIO, e.getMessage());
      }
      written.accept(name);
      boolean taken = take(Optional.of(name));
      Optional<Group> now = model.tree().find(name).filter(group -> group.spec().equals(spec));
      if (taken && now.isPresent()) {
        return now.get();
      }
      TenancyException refusal = model.refusal(name);
      if (refusal != null) {
        throw refusal;
      }
    }
    throw new TenancyException(
        Errno.EIO, "group " + name + ": the change is in the group's file but cannot be read back");
  }

  /**
   * What the file of a group says now, seen by others or not; it is what a change is made to.
   *
   * @throws TenancyException EIO
   */
  private Optional<Map<String, String>> onDisk(String name) {
    try {
      return GroupNames.isName(name) ? files.read(pid(name)) : Optional.empty();
    } catch (UncheckedIOException e) {
      throw new TenancyException(Errno.EIO, e.getMessage());
    }
  }

  private static TenancyException unknown(String name) {
    return new TenancyException(
        Errno.ENOENT, "no group '" + GroupSpec.shown(name) + "'; see group:list");
  }

  private static String pid(String name) {
    return FACTORY_PID + "-" + name;
  }

  /** The name of a group's file, as it may stand in a message. */
  static String file(String name) {
    return pid(GroupSpec.shown(name)) + ".cfg";
  }
}
