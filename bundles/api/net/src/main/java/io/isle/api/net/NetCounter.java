package io.isle.api.net;

/**
 * A counter of a tile, or of an app of the platform on a net.
 *
 * @param net name of the net
 * @param tile number of the tile; -1 for what an app counts itself
 * @param app name of the app; empty for a counter of a tile
 * @param group {@code rx}, {@code tx}, {@code kernel}, {@code wake}, {@code tile} of a tile; {@code
 *     app_tx} of what a tile did with the frames of an app; {@code app}, and {@code kind} for those
 *     of {@link NetAppTask#counters}, of an app
 * @param name such as {@code bad_ihl}
 * @param value since the net got its memory, or since the app is attached
 */
public record NetCounter(String net, int tile, String app, String group, String name, long value) {
  /** The counter with another value. */
  public NetCounter withValue(long other) {
    return new NetCounter(net, tile, app, group, name, other);
  }
}
