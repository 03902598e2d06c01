package io.isle.lib.net;

import io.isle.lib.ffi.HostPort;
import io.isle.lib.ffi.SockAddr;
import java.net.UnknownHostException;
import java.util.List;

/** Finds the addresses of hosts. Thread-safe. */
@FunctionalInterface
public interface Names {
  /** The resolver of the system. */
  Names SYSTEM = HostPort::resolve;

  /**
   * The addresses of a host, at least one, in the order of preference. May block for seconds.
   *
   * @throws UnknownHostException if the name has no address
   */
  List<SockAddr> resolve(HostPort host) throws UnknownHostException;
}
