package io.isle.api.spin;

/**
 * A snapshot of an HPU. Immutable.
 *
 * @param hpu number over all clusters
 * @param state {@code idle}, {@code running}, or {@code waiting} for the host
 * @param context empty when idle
 * @param handler {@code header}, {@code packet} or {@code tail}; empty when idle
 * @param queue of the packet; -1 when idle
 * @param message id of the packet's message; 0 when idle
 * @param runningNs time since the task began; 0 when idle
 */
public record HpuInfo(
    String nic,
    int hpu,
    int cluster,
    String state,
    String context,
    String handler,
    int queue,
    long message,
    long runningNs) {}
