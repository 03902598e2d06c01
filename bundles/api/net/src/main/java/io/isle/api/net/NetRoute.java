package io.isle.api.net;

/**
 * A route that tiles use.
 *
 * @param table {@code local} or {@code main}
 * @param destination such as {@code 198.18.0.0/24}
 * @param metric lowest wins
 * @param kind {@code unicast}, {@code local}, {@code refuses}, {@code other}, {@code throw}
 * @param interfaceName empty for a route that does not send
 * @param gateway empty for a destination on the link
 * @param source address for packets that name none; empty without one
 */
public record NetRoute(
    String table,
    String destination,
    int metric,
    String kind,
    String interfaceName,
    String gateway,
    String source) {}
