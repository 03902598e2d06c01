package io.isle.core.tenancy;

import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.CapabilitySpec;
import io.isle.api.tenancy.Permission;
import io.isle.api.tenancy.TenancyException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * All capabilities of the node, in a table of fixed capacity (accelerator framework, 44.1). An id
 * names a place and its generation, so that an old id never means a newer capability. Thread-safe.
 */
final class CapabilityTable implements Capabilities {
  private final IssuedCapability[] entries;
  private final int[] generations;
  private final Consumer<List<Capability>> revoked;
  private long issued;

  /**
   * @param capacity most capabilities that are valid at a time, at least 1
   * @param revoked is told what was revoked, by the thread that did it and outside of locks
   */
  CapabilityTable(int capacity, Consumer<List<Capability>> revoked) {
    this.revoked = revoked;
    entries = new IssuedCapability[capacity];
    generations = new int[capacity];
  }

  @Override
  public synchronized Capability issue(CapabilitySpec spec) {
    checkName(CapabilityRules.checked(spec).tenant(), spec.tenant());
    return add(null, spec);
  }

  @Override
  public synchronized Capability delegate(Capability from, CapabilitySpec spec) {
    IssuedCapability parent = valid(from);
    CapabilityRules.checkNarrower(parent, CapabilityRules.checked(spec));
    checkName(spec.tenant(), parent.owner());
    return add(parent, spec);
  }

  /** A name means one tenant: contexts of the same name share memory and timelines. */
  private void checkName(String name, String owner) {
    for (IssuedCapability entry : entries) {
      if (entry != null && entry.tenant().equals(name) && !entry.owner().equals(owner)) {
        throw new TenancyException(
            Errno.EACCES, "tenant: " + name + " is in use by another tenant; choose another name");
      }
    }
  }

  @Override
  public void revoke(Capability capability) {
    tell(removeTree(capability));
  }

  private synchronized List<Capability> removeTree(Capability capability) {
    List<Capability> removed = new ArrayList<>();
    if (known(capability) instanceof IssuedCapability root && root.valid()) {
      remove(root);
      removed.add(root);
      // Parents always came earlier than their children, so one pass by age finds all of them.
      for (IssuedCapability entry : byAge()) {
        if (entry.parent() != null && !entry.parent().valid()) {
          remove(entry);
          removed.add(entry);
        }
      }
    }
    return removed;
  }

  private void tell(List<Capability> removed) {
    if (!removed.isEmpty()) {
      revoked.accept(List.copyOf(removed));
    }
  }

  @Override
  public synchronized void check(Capability capability, Permission permission, String device) {
    IssuedCapability entry = valid(capability);
    if (!entry.permissions().contains(permission)) {
      throw new TenancyException(
          Errno.EACCES,
          entry.text()
              + " lacks "
              + permission.text()
              + "; ask for a capability with this permission");
    }
    if (entry.device().isPresent() && !entry.device().get().equals(device)) {
      throw new TenancyException(
          Errno.EACCES,
          entry.text()
              + " is valid only for device "
              + entry.device().get()
              + ", not for "
              + device);
    }
  }

  @Override
  public synchronized List<Capability> list() {
    return List.copyOf(byAge());
  }

  @Override
  public synchronized Optional<Capability> find(long id) {
    int index = Ids.index(id);
    return index >= 0
            && index < entries.length
            && entries[index] != null
            && entries[index].id() == id
        ? Optional.of(entries[index])
        : Optional.empty();
  }

  /** Revokes all, for the end of the service. */
  void revokeAll() {
    List<Capability> removed;
    synchronized (this) {
      removed = List.copyOf(byAge());
      byAge().forEach(this::remove);
    }
    tell(removed);
  }

  private IssuedCapability add(IssuedCapability parent, CapabilitySpec spec) {
    for (int i = 0; i < entries.length; i++) {
      if (entries[i] == null) {
        generations[i] = Ids.nextGeneration(generations[i]);
        long id = Ids.of(Ids.CAPABILITY, generations[i], i);
        entries[i] = new IssuedCapability(id, issued++, parent, spec);
        return entries[i];
      }
    }
    throw new TenancyException(
        Errno.ENOSPC,
        "all "
            + entries.length
            + " capabilities of the node are in use; revoke capabilities that are not needed");
  }

  private void remove(IssuedCapability entry) {
    entry.revoke();
    entries[Ids.index(entry.id())] = null;
  }

  private IssuedCapability valid(Capability capability) {
    IssuedCapability entry = known(capability);
    if (!entry.valid()) {
      throw new TenancyException(Errno.EREVOKED, entry.text() + " was revoked");
    }
    return entry;
  }

  private IssuedCapability known(Capability capability) {
    if (capability instanceof IssuedCapability entry
        && (!entry.valid() || find(entry.id()).orElse(null) == entry)) {
      return entry;
    }
    throw new TenancyException(
        Errno.EACCES,
        "the capability is unknown: it was not issued by the running capability service");
  }

  private List<IssuedCapability> byAge() {
    List<IssuedCapability> all = new ArrayList<>();
    for (IssuedCapability entry : entries) {
      if (entry != null) {
        all.add(entry);
      }
    }
    all.sort(Comparator.comparingLong(IssuedCapability::age));
    return all;
  }
}
