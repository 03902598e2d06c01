package io.isle.api.net;

/**
 * A counter of a tile.
 *
 * @param net name of the net
 * @param tile number of the tile
 * @param group {@code rx}, {@code tx}, {@code kernel}, {@code wake}, {@code tile}
 * @param name such as {@code bad_ihl}
 * @param value since the net got its memory
 */
public record NetCounter(String net, int tile, String group, String name, long value) {}
