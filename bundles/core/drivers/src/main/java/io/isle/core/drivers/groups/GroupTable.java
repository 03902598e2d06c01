package io.isle.core.drivers.groups;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Which group has which process, and those that are being ended. Guarded by its owner. */
final class GroupTable {
  private final ContextRoutes routes;
  private final Map<String, GroupHost> byGroup = new LinkedHashMap<>();
  private final Set<GroupHost> leaving = new HashSet<>();
  private boolean over;

  GroupTable(ContextRoutes routes) {
    this.routes = routes;
  }

  /** No process comes any more. */
  void close() {
    over = true;
  }

  boolean isClosed() {
    return over;
  }

  /** The group's process, if it has one; one that has just ended with contexts is awaited. */
  GroupHost there(String group) {
    if (over) {
      throw new DriverException(Errno.EINTR, "the device is being closed");
    }
    GroupHost host = byGroup.get(group);
    if (host != null && host.port != null && !host.port.alive() && routes.count(host.port) > 0) {
      throw new DriverException(
          Errno.EINTR, "the driver process of group " + group + " ended and is being replaced");
    }
    return host;
  }

  /**
   * Null when there is room for one more, else one that nobody uses.
   *
   * @throws DriverException ENOSPC
   */
  GroupHost room(String group) {
    if (byGroup.size() + leaving.size() < GroupHosts.MOST) {
      return null;
    }
    return byGroup.values().stream()
        .filter(host -> host.port != null && host.emptied && routes.count(host.port) == 0)
        .findFirst()
        .orElseThrow(
            () ->
                new DriverException(
                    Errno.ENOSPC,
                    "group "
                        + group
                        + ": the device has "
                        + GroupHosts.MOST
                        + " driver processes of groups, the most of one device; close the"
                        + " contexts of another group first"));
  }

  void add(GroupHost host) {
    byGroup.put(host.group, host);
  }

  /** It never came. */
  void remove(GroupHost host) {
    boolean ignored = byGroup.remove(host.group, host);
  }

  /** It is not its group's any more, and counts until {@link #left}. */
  void leaves(GroupHost host) {
    remove(host);
    boolean ignored = leaving.add(host);
  }

  void left(GroupHost host) {
    boolean ignored = leaving.remove(host);
  }

  /** The process of a group, if it has one that is there. */
  Optional<GroupHost> find(String group) {
    return Optional.ofNullable(byGroup.get(group)).filter(host -> host.port != null);
  }

  /** Those of groups that are there. */
  List<GroupHost> present() {
    return byGroup.values().stream().filter(host -> host.port != null).toList();
  }

  /** Those of groups, also those that are still to come. */
  List<GroupHost> coming() {
    return List.copyOf(byGroup.values());
  }

  /** All, also those that are being ended. */
  List<GroupHost> all() {
    List<GroupHost> all = new ArrayList<>(byGroup.values());
    all.addAll(leaving);
    return all;
  }
}
