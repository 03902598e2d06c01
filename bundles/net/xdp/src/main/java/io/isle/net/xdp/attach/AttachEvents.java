package io.isle.net.xdp.attach;

import io.isle.lib.ffi.PeerCredentials;

/** What happens at a socket, for the audit. Called by one thread. */
public interface AttachEvents {
  /** A process has attached. */
  void attached(String app, PeerCredentials peer, Attachment attachment);

  /**
   * A process was refused.
   *
   * @param app the name that was asked for; empty for a message that names none
   * @param code error number, such as EACCES
   */
  void refused(String app, PeerCredentials peer, int code, String reason);

  /** An attachment has ended. */
  void detached(String app, PeerCredentials peer, String reason);
}
