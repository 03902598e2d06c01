package io.isle.api.spin;

import io.isle.api.base.Errno;

/**
 * What a temporary interface is made with; the other settings are those of {@code
 * io.isle.nic-NAME.cfg} by default. Immutable.
 *
 * @param name 1 to 64 characters of {@code [A-Za-z0-9._-]}
 * @param device that has the HPUs
 * @param port address of the port
 * @param host address of the port for packets that match no context; empty: they are dropped
 */
public record NicSpec(String name, String device, String port, String host) {
  /** Longest name in characters. */
  public static final int MAX_NAME = 64;

  /** Checks the name. */
  public NicSpec {
    if (!name.matches("[A-Za-z0-9._-]{1," + MAX_NAME + "}")) {
      throw new SpinException(
          Errno.EINVAL, "name: 1 to " + MAX_NAME + " characters of [A-Za-z0-9._-] are possible");
    }
  }
}
