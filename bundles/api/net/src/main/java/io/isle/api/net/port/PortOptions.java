package io.isle.api.net.port;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;

/**
 * What a port needs to know beside its address.
 *
 * @param mtu largest frame in bytes, with the header of Ethernet; larger ones are lost and counted
 * @param frames that wait to be read or to be sent at most; a port may take fewer
 */
public record PortOptions(int mtu, int frames) {
  /** Frames of Ethernet with a VLAN tag, a few hundred of them. */
  public static final PortOptions DEFAULT = new PortOptions(1518, 256);

  private static final int LEAST_MTU = 64;
  private static final int MOST_MTU = 65_535;
  private static final int MOST_FRAMES = 65_536;

  /** Checks the limits. */
  public PortOptions {
    within("mtu", mtu, LEAST_MTU, MOST_MTU);
    within("frames", frames, 1, MOST_FRAMES);
  }

  private static void within(String field, int value, int least, int most) {
    if (value < least || value > most) {
      throw new NetException(
          Errno.EINVAL, field + ": " + value + " is not within " + least + " to " + most);
    }
  }
}
