package io.isle.spin.jobs.ping.place;

import io.isle.lib.net.ping.PingClient;

/** An interface that exists for a step, and the ways to it. */
public interface PingPlace extends AutoCloseable {
  /** A lab where this process may make one, else a port of UDP. */
  String AUTO = "auto";

  String LAB = "lab";
  String UDP = "udp";

  /** Whether it is a lab. */
  boolean isLab();

  /** Name of the interface. */
  String nic();

  /**
   * Opens a client.
   *
   * @param host whether requests are for the host, not for handlers
   * @param most requests
   */
  PingClient client(PingProtocol protocol, boolean host, int most);

  /** Removes all. */
  @Override
  void close();
}
