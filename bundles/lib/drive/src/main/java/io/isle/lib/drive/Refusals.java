package io.isle.lib.drive;

import io.isle.api.base.Errno;

/** Failures of a master's data calls, in words. Pure functions. */
public final class Refusals {
  private Refusals() {}

  /**
   * The failure of a data call that cannot go on.
   *
   * @param call such as {@code "sending position 5"}
   * @param code negated
   */
  public static DriveException of(MasterPath path, String call, long code) {
    String cause =
        switch ((int) -code) {
          case Errno.ECLOSED ->
              "the node was closed: it was changed, removed or restarted; see ring:status";
          case Errno.EREVOKED -> "the capability of the caller was revoked";
          case Errno.EBUSY -> "another thread uses the endpoint of the node";
          case Errno.EMSGSIZE ->
              "packets of another size are needed now; see packet_bytes of ring:list";
          case Errno.ERANGE ->
              "the packet would look like a control packet; choose other positions: another first"
                  + " position, or a smaller number of positions";
          default -> Errno.name((int) code);
        };
    return new DriveException((int) code, "node " + path.node() + ": " + call + ": " + cause);
  }

  /** Nothing has come round for a time. */
  public static DriveException silence(MasterPath path, long ms) {
    return new DriveException(
        Errno.ETIMEDOUT,
        "node " + path.node() + ": no packet has come round for " + ms + " ms: " + path.state());
  }
}
