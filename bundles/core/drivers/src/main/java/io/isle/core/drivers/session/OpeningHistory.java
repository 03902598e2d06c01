package io.isle.core.drivers.session;

import io.isle.api.base.Errno;

/**
 * The openings of one device, or of the process of one group on it, one after the other, with the
 * end of each. Thread-safe.
 */
public final class OpeningHistory {
  private volatile OpenSession current;
  private volatile boolean closed;

  /** The one that is in use; null while there is none. */
  public OpenSession current() {
    return current;
  }

  /** Its users go on with this one. */
  public synchronized void goesOn(OpenSession session) {
    closed = false;
    current = session;
  }

  /** Its users are interrupted: another is to follow. */
  public synchronized void interrupted() {
    OpenSession ended = current;
    current = null;
    if (ended != null) {
      ended.end();
    }
  }

  /** None follows for now. */
  public synchronized void closed() {
    interrupted();
    closed = true;
  }

  /**
   * A session has ended.
   *
   * @param last whether none follows for now
   */
  public synchronized void left(OpenSession session, boolean last) {
    session.end();
    if (current == session) {
      current = null;
      closed = last;
    }
  }

  /** What a call of a session that has ended is refused with. */
  int code() {
    return closed ? Errno.ENODEV : current == null ? Errno.EINTR : Errno.ESTALE;
  }
}
