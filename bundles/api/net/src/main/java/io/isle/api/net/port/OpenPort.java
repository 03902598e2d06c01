package io.isle.api.net.port;

import io.isle.api.net.FramePort;
import org.osgi.annotation.versioning.ProviderType;

/**
 * A port that was opened by its address. A port that fails ends: its calls return -ECLOSED, and
 * {@link #failure} says why. Whoever wants the port again opens another one.
 */
@ProviderType
public interface OpenPort extends FramePort {
  /** Scheme and address, with what the kernel has chosen; any thread. */
  String address();

  /**
   * A descriptor that poll(2) finds readable when a frame or a failure may have come. It belongs to
   * the port, and is valid until the port is closed.
   *
   * @return -1 for a port that has none: its frames are there at once
   */
  int descriptor();

  /**
   * Why the port has ended by itself; any thread.
   *
   * @return empty while the port is open, after {@link #close}, and at the end of a file
   */
  String failure();

  /** Frames of the port so far; any thread. */
  PortCounters counters();
}
