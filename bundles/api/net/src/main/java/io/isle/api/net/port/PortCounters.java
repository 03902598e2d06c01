package io.isle.api.net.port;

/**
 * Frames of a port since it was opened.
 *
 * @param received frames that were passed on
 * @param sent frames that have left
 * @param receiveDropped frames that came and could not be passed on: the reader was slow, they were
 *     too large, or parts of them were still to be made by hardware
 * @param sendDropped frames that were published and could not leave: the place where the port leads
 *     to takes no such frames, or had no room
 */
public record PortCounters(long received, long sent, long receiveDropped, long sendDropped) {}
