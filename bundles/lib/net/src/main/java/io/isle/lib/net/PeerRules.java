package io.isle.lib.net;

import io.isle.lib.ffi.Cidr;
import io.isle.lib.ffi.SockAddr;
import java.util.List;

/**
 * Which peers a port accepts: those of permitted networks, and those beyond the loopback interface
 * only with the permission to send bytes in plain text. Immutable.
 */
public final class PeerRules {
  private final List<Cidr> allow;
  private final boolean plaintext;

  /**
   * @param allow permitted networks; empty for all
   * @param plaintext whether peers beyond the loopback interface are permitted
   */
  public PeerRules(List<Cidr> allow, boolean plaintext) {
    this.allow = List.copyOf(allow);
    this.plaintext = plaintext;
  }

  /** Whether a peer is accepted. Allocates nothing. */
  public boolean admits(SockAddr peer) {
    if (!mayReach(peer)) {
      return false;
    }
    for (int i = 0; i < allow.size(); i++) {
      if (allow.get(i).contains(peer)) {
        return true;
      }
    }
    return allow.isEmpty();
  }

  /** Whether bytes may be sent to an address, or received at an address of this machine. */
  public boolean mayReach(SockAddr address) {
    return plaintext || address.isLoopback();
  }

  /** The reason of a refusal by {@link #mayReach}, with the setting. */
  public static String refusal(String address) {
    return address
        + " is beyond the loopback interface, and the bytes are not encrypted. For a network that"
        + " you trust, set plaintext = true";
  }
}
