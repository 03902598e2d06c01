package io.isle.api.net;

import java.util.List;

/**
 * An app that takes frames of nets. Immutable.
 *
 * @param name of the settings file
 * @param kind such as {@code echo}
 * @param nets names of nets
 * @param ports UDP ports of the app
 * @param instances tasks or processes that share the frames of a net, by the settings
 * @param running whether all its attachments work
 * @param reason why not; empty while it runs
 * @param received frames that the app has taken
 * @param sent frames that the app has published
 * @param overrunsPolling frames that were overwritten before the app found them
 * @param overrunsReading frames that were overwritten while the app read them
 */
public record AppInfo(
    String name,
    String kind,
    List<String> nets,
    List<Integer> ports,
    int instances,
    boolean running,
    String reason,
    long received,
    long sent,
    long overrunsPolling,
    long overrunsReading) {
  /** Copies the lists. */
  public AppInfo {
    nets = List.copyOf(nets);
    ports = List.copyOf(ports);
  }

  /** Frames that the app lost because it was too slow. */
  public long overruns() {
    return overrunsPolling + overrunsReading;
  }
}
