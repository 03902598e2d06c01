package io.isle.api.spin;

/**
 * A snapshot of a queue of messages. Immutable.
 *
 * @param queue number in its context, 0 to 15
 * @param state in lower case, such as {@code free} or {@code packets}
 * @param message id of its message
 * @param waiting packets whose next handler has not started
 * @param running handlers that run
 * @param idleNs time since the last packet
 */
public record QueueInfo(
    String nic,
    String context,
    int queue,
    String state,
    long message,
    int waiting,
    int running,
    long idleNs) {}
