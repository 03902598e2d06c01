package io.isle.api.net.tile;

/**
 * A socket on a queue of an interface.
 *
 * @param interfaceIndex of the interface, as routes name it
 * @param rxFrames frames that the kernel has for receiving, at most the size of FILL
 * @param txFrames most frames on their way out, at most the sizes of TX and COMPLETION
 */
public record PortMemory(
    int interfaceIndex,
    RingMemory fill,
    RingMemory rx,
    RingMemory tx,
    RingMemory completion,
    int rxFrames,
    int txFrames,
    PollMode poll) {}
