package io.isle.api.spin;

/**
 * A snapshot of a programmable network interface. Immutable.
 *
 * @param device that has the HPUs
 * @param port address of the port
 * @param host address of the port for packets that match nothing; empty to drop them
 * @param state {@code up}; {@code down} while a port has failed
 * @param error why a port has failed; empty when up
 * @param contexts attached contexts
 * @param clusters of HPUs
 * @param hpus of each cluster
 * @param parallel most tasks at a time
 * @param running tasks that run and do not wait for the host
 * @param received frames from the port
 * @param dropped frames that the ports could not pass on: they were too long, too many came at a
 *     time, or they were to be finished by hardware
 * @param unmatched frames that matched no context
 * @param sent frames of handlers that the port has taken
 * @param unsent frames of handlers that the port has not taken
 */
public record NicInfo(
    String name,
    String device,
    String port,
    String host,
    String state,
    String error,
    int contexts,
    int clusters,
    int hpus,
    int parallel,
    int running,
    long received,
    long dropped,
    long unmatched,
    long sent,
    long unsent) {}
