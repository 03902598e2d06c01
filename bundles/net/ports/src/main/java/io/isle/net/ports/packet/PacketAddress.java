package io.isle.net.ports.packet;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.lib.ffi.NetNamespace;
import io.isle.lib.ffi.PosixException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * An interface of a network namespace.
 *
 * @param netns empty for the platform's own, a name in /run/netns, an absolute path, or {@code
 *     lab:NAME}
 * @param interfaceName 1 to 15 bytes
 */
record PacketAddress(String netns, String interfaceName) {
  private static final int MOST_NAME = 15;
  private static final String LAB = "lab:";

  /**
   * Reads {@code [NETNS:]INTERFACE}.
   *
   * @param address with the scheme, for messages
   * @throws NetException EINVAL
   */
  static PacketAddress parse(String address, String text) {
    int colon = text.lastIndexOf(':');
    String name = text.substring(colon + 1);
    if (!name.matches("[\\x21-\\x7E&&[^/:]]{1," + MOST_NAME + "}")) {
      throw new NetException(
          Errno.EINVAL,
          address + ": not [NETNS:]INTERFACE with a name of 1 to " + MOST_NAME + " characters");
    }
    return new PacketAddress(colon < 0 ? "" : text.substring(0, colon), name);
  }

  /** Whether the namespace is that of a lab, {@code lab:NAME}. */
  boolean isOfLab() {
    return netns.startsWith(LAB);
  }

  /** Name of the lab. */
  String lab() {
    return netns.substring(LAB.length());
  }

  /** The same interface by the path of its namespace. */
  PacketAddress at(String path) {
    return new PacketAddress(path, interfaceName);
  }

  /**
   * Opens the namespace; the caller closes the namespace.
   *
   * @param address with the scheme, for messages
   * @throws NetException ENOENT, EINVAL
   */
  NetNamespace open(String address) {
    try {
      return netns.startsWith("/")
          ? NetNamespace.ofPath(Path.of(netns))
          : NetNamespace.named(netns);
    } catch (PosixException e) {
      throw new NetException(e.code(), address + ": netns: " + e.getMessage(), e);
    } catch (InvalidPathException e) {
      throw new NetException(Errno.EINVAL, address + ": netns: no path of a file", e);
    }
  }
}
