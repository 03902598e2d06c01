package io.isle.faces.shell.ring.drive;

import io.isle.api.base.Errno;
import io.isle.api.fabric.LinkInfo;
import io.isle.api.fabric.PortState;
import io.isle.api.fabric.RingEndpoint;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.faces.shell.ShellException;

/** Failures of an endpoint, in words. Pure functions. */
public final class Refusals {
  private Refusals() {}

  /**
   * The failure of a data call that cannot go on.
   *
   * @param call such as {@code "sending position 5"}
   * @param code negated
   */
  public static ShellException of(RingEndpoint endpoint, String call, long code) {
    String cause =
        switch ((int) -code) {
          case Errno.ECLOSED ->
              "the node was closed: it was changed, removed or restarted; see ring:status";
          case Errno.EREVOKED -> "the capability of the command was revoked";
          case Errno.EBUSY -> "another thread uses the endpoint of the node";
          case Errno.EMSGSIZE ->
              "packets of another size are needed now; see packet_bytes of ring:list";
          case Errno.ERANGE ->
              "the packet would look like a control packet; choose other positions with --pos and"
                  + " --pos-max";
          default -> Errno.name((int) code);
        };
    return ShellException.failed("node " + endpoint.node() + ": " + call + ": " + cause);
  }

  /** Why nothing goes round the ring, as far as the node knows. */
  public static String links(RingNodeInfo node) {
    String reason = node.reason().isEmpty() ? "" : node.reason() + "; ";
    return reason + link(node.next()) + "; " + link(node.prev());
  }

  /** A link in words, such as {@code "next tcp://10.0.0.2:9999 is connecting: refused"}. */
  public static String link(LinkInfo link) {
    String name = link.side().text() + " " + String.join(", ", link.addresses()) + " is ";
    if (link.state() == PortState.UP) {
      return name + "up" + link.peer().map(peer -> " to " + peer).orElse("");
    }
    return name + link.state().text() + (link.reason().isEmpty() ? "" : ": " + link.reason());
  }
}
