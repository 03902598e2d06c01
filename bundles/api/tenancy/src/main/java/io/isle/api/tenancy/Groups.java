package io.isle.api.tenancy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The groups of the node, a tree of tenants with the semantics of cgroup v2. The settings are the
 * files {@code io.isle.group-NAME.cfg}; changes through this service are written to these files.
 * Changes happen one at a time, each completely or not at all. Thread-safe.
 */
@ProviderType
public interface Groups {
  /** The tree in force. A single volatile read. */
  GroupTree tree();

  /** The keys of all present controllers, by controller, in their order. */
  List<GroupKey> keys();

  /**
   * Every group that is in force or has a file: groups in force, parents first, then groups held
   * back, by name.
   */
  List<GroupStatus> list();

  /** The group with this name in {@link #list}, if any. */
  Optional<GroupStatus> find(String name);

  /**
   * Makes a group.
   *
   * @throws TenancyException EEXIST; ENOENT for an unknown parent; and the codes of {@link #set}
   */
  Group create(GroupSpec spec);

  /**
   * Makes a group with the contents of its file.
   *
   * @param settings keys of the file, with {@link GroupSpec#PARENT}
   * @throws TenancyException EINVAL for a malformed key; and the codes of {@link
   *     #create(GroupSpec)}
   */
  Group create(String name, Map<String, String> settings);

  /**
   * Changes keys of a group, with {@link GroupSpec#PARENT}; all changes or none.
   *
   * @param changes key to value; a null value removes the key, so the group inherits the value
   * @throws TenancyException ENOENT for an unknown group; EINVAL, ERANGE and other codes with key,
   *     reason and limit for a refusal by a controller; EBUSY inside a controller; EIO if the file
   *     cannot be written. In all these cases nothing has changed. ETIMEDOUT if other changes take
   *     long; the change is then made or refused later
   */
  Group set(String name, Map<String, String> changes);

  /**
   * Ends all contexts of a group, revokes its capabilities, and removes the group with its file.
   *
   * @throws TenancyException ENOENT; EPERM for the root; EBUSY for a group with children; ETIMEDOUT
   *     if a context does not end within a minute; the group stays then
   */
  void delete(String name);

  /**
   * Counters of all controllers, in their order, for a group with all groups below it.
   *
   * @throws TenancyException ENOENT for a group that is not in force
   */
  SequencedMap<String, Long> stat(String name);
}
