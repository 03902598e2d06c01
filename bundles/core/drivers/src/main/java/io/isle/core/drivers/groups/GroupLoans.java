package io.isle.core.drivers.groups;

import io.isle.api.base.Errno;
import io.isle.api.driver.DevicePort;
import io.isle.api.driver.DriverException;
import io.isle.core.drivers.session.OpenSession;
import io.isle.core.drivers.session.OpeningHistory;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The processes of groups on one open device, as they are lent. Thread-safe. */
public final class GroupLoans {
  private final GroupHosts hosts;
  private final Map<String, OpeningHistory> histories = new ConcurrentHashMap<>();

  GroupLoans(GroupHosts hosts) {
    this.hosts = hosts;
  }

  private OpeningHistory history(String group) {
    return histories.computeIfAbsent(group, name -> new OpeningHistory());
  }

  /**
   * The group's process, which is started if there is none.
   *
   * @param whole the session of the device
   * @throws DriverException as {@link GroupHosts#open}
   */
  public OpenSession lend(String group, OpenSession whole) {
    DevicePort.Opening opening = hosts.open(group);
    GroupHost host = hosts.current(opening, group);
    if (host == null) {
      throw replaced();
    }
    OpenSession.Of of =
        new OpenSession.Of(
            whole.id(), Optional.of(group), opening.epoch(), history(group), Optional.of(whole));
    OpenSession session = OpenSession.open(of, opening.device(), host.lane, () -> {});
    synchronized (hosts) {
      if (host.retired) {
        throw replaced();
      }
      host.session = session;
    }
    return session;
  }

  private static DriverException replaced() {
    return new DriverException(Errno.EINTR, "the driver process of the group has just ended");
  }

  /** The contexts of the group go on in the process that was lent. */
  public void goesOn(OpenSession session) {
    history(session.group().orElseThrow()).goesOn(session);
  }

  /** The group gets no process for now. */
  public void letGo(String group) {
    history(group).closed();
  }

  /** Its contexts are interrupted. */
  void interrupted(String group) {
    history(group).interrupted();
  }

  /**
   * A process is not its group's any more. Guarded by the hosts.
   *
   * @param last whether none follows for now
   */
  void left(GroupHost host, boolean last) {
    if (host.session != null) {
      history(host.group).left(host.session, last);
    }
  }
}
