package io.isle.net.xdp.lab;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.lib.ffi.NetNamespace;
import io.isle.lib.ffi.PosixException;
import java.nio.file.Path;

/** Opens network namespaces by what users write. Thread-safe. */
public final class NetSpaces {
  private static final String LAB = "lab:";

  private final LabRegistry labs;

  public NetSpaces(LabRegistry labs) {
    this.labs = labs;
  }

  /**
   * Opens a namespace; the caller closes the namespace.
   *
   * @param netns empty for the platform's own, a name in /run/netns, an absolute path, or {@code
   *     lab:NAME}
   * @param interfaceName tells the side of a lab
   * @throws NetException ENOENT, ENODEV, EINVAL, with the field {@code netns}
   */
  public NetNamespace open(String netns, String interfaceName) {
    if (netns.startsWith(LAB)) {
      return labs.open(netns.substring(LAB.length()), interfaceName);
    }
    try {
      if (netns.isEmpty()) {
        return NetNamespace.current();
      }
      return netns.startsWith("/")
          ? NetNamespace.ofPath(Path.of(netns))
          : NetNamespace.named(netns);
    } catch (PosixException e) {
      String hint = e.code() == Errno.ENOENT ? "; see ip netns list" : "";
      throw new NetException(e.code(), "netns: " + e.getMessage() + hint, e);
    }
  }
}
