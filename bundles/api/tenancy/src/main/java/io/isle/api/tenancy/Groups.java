package io.isle.api.tenancy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The groups of the node, a tree of tenants with the semantics of cgroup v2. Their settings are the
 * files {@code io.isle.group-NAME.cfg}; what is asked here is written there. Thread-safe; changes
 * happen one at a time, and each as a whole or not at all.
 */
@ProviderType
public interface Groups {
  /** The tree in force; one volatile read. */
  GroupTree tree();

  /** The keys of all controllers that are there, by controller, in their order. */
  List<GroupKey> keys();

  /** Every group that is in force or has a file: parents first, then what is held back by name. */
  List<GroupStatus> list();

  /** One of {@link #list}. */
  Optional<GroupStatus> find(String name);

  /**
   * Makes a group.
   *
   * @throws TenancyException EEXIST; ENOENT for an unknown parent; and what {@link #set} throws
   */
  Group create(GroupSpec spec);

  /**
   * Makes a group of what its file shall say.
   *
   * @param settings its keys, {@link GroupSpec#PARENT} among them
   * @throws TenancyException EINVAL for what is malformed; and what the other one throws
   */
  Group create(String name, Map<String, String> settings);

  /**
   * Changes keys of a group, {@link GroupSpec#PARENT} among them; all or none.
   *
   * @param changes key to value; a null value removes the key, so that it inherits
   * @throws TenancyException ENOENT for an unknown group; EINVAL, ERANGE and the like with key,
   *     reason and limit when a controller refuses; EBUSY from within a controller; EIO when the
   *     file cannot be written; then nothing changed. ETIMEDOUT when it takes long because others
   *     change groups as well; then it still comes to pass, or is refused, later
   */
  Group set(String name, Map<String, String> changes);

  /**
   * Ends all that lives in a group, revokes its capabilities, and removes it with its file.
   *
   * @throws TenancyException ENOENT; EPERM for the root; EBUSY while it has children; ETIMEDOUT
   *     when something in it does not end within a minute; then the group stays
   */
  void delete(String name);

  /**
   * Counters of all controllers, in their order, for a group with all that is below it.
   *
   * @throws TenancyException ENOENT when it is not in force
   */
  SequencedMap<String, Long> stat(String name);
}
