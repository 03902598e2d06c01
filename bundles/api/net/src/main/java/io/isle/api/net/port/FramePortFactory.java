package io.isle.api.net.port;

import io.isle.api.net.NetException;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Opens ports of one scheme. Each scheme is a service with the property {@link #SCHEME}. When the
 * service goes away, its ports end: see {@link OpenPort#failure}. Thread-safe.
 */
@ProviderType
public interface FramePortFactory {
  /** Property of the service: the scheme. */
  String SCHEME = "scheme";

  /** What stands before the first colon of an address, such as {@code pcap}. */
  String scheme();

  /**
   * Opens a port. The caller closes the port, and may try again after a failure.
   *
   * @param address what follows the first colon
   * @throws NetException with the kernel's code, the field, and why
   */
  OpenPort open(String address, PortOptions options);
}
