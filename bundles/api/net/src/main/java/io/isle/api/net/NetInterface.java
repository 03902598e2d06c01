package io.isle.api.net;

import io.isle.api.base.Errno;

/**
 * An interface that a net uses, or may use.
 *
 * @param name of the interface
 * @param netns its namespace: empty for the platform's own, a name in /run/netns, an absolute path,
 *     or {@code lab:NAME}
 * @param tiles one a queue, 1 to 16
 */
public record NetInterface(String name, String netns, int tiles) {
  private static final int MOST_TILES = 16;

  /** Refuses an empty name and a wrong number of tiles by NetException EINVAL. */
  public NetInterface {
    if (name.isEmpty()) {
      throw new NetException(Errno.EINVAL, "interface: the name is empty");
    }
    if (tiles < 1 || tiles > MOST_TILES) {
      throw new NetException(Errno.EINVAL, "tiles: " + tiles + " is not within 1 to " + MOST_TILES);
    }
  }
}
