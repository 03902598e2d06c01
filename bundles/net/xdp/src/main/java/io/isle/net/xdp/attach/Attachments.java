package io.isle.net.xdp.attach;

import io.isle.lib.ffi.PeerCredentials;
import java.util.OptionalInt;

/** The apps of a net, as the owner of the net knows them. Called by one thread. */
public interface Attachments {
  /**
   * The user whose processes may attach as an app.
   *
   * @return empty for an app that the net does not have, or that no process may be
   */
  OptionalInt user(String app);

  /**
   * Makes links for a process.
   *
   * @param peer a process of {@link #user}
   * @throws io.isle.api.net.NetException with the reason: ENOMEM, ENOSPC and others
   */
  Attachment attach(String app, PeerCredentials peer);

  /**
   * Takes the links of a process back, whose connection has ended; called once for each that was
   * made.
   */
  void detach(Attachment attachment);
}
