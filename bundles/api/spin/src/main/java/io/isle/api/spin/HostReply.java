package io.isle.api.spin;

import java.util.Locale;

/** What answers the requests of handlers to the host where no listener does. */
public enum HostReply {
  /** The payload of the request is the answer. */
  ECHO,
  /** Nobody: a request waits for {@link ExecutionContext#respond}, and traps in the end. */
  NONE;

  /** Lower case, as in settings. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
