package io.isle.api.net;

/**
 * One interface of a lab, in its network namespace.
 *
 * @param lab name of the lab
 * @param side {@code a}, {@code b}, and with a host {@code near} and {@code host}
 * @param interfaceName such as {@code va}
 * @param address IPv4 address of the interface; empty without one
 * @param prefix bits of its network
 * @param mac hardware address, such as {@code 02:00:00:00:00:01}
 * @param netns path of the namespace, for example for {@code nsenter --net=}; valid until the end
 *     of the lab
 * @param queues of each direction
 */
public record LabSide(
    String lab,
    String side,
    String interfaceName,
    String address,
    int prefix,
    String mac,
    String netns,
    int queues) {}
