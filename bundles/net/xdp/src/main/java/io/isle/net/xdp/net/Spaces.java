package io.isle.net.xdp.net;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.lib.ffi.NetNamespace;
import io.isle.lib.ffi.PosixException;
import java.nio.file.Path;
import java.util.Optional;

/** Network namespaces as settings name them. */
final class Spaces {
  private static final String LAB = "lab:";

  private final LabSpaces labs;

  /** Namespaces of labs. */
  @FunctionalInterface
  interface LabSpaces {
    /** The namespace of the side that has the interface; the caller closes it. */
    Optional<NetNamespace> open(String lab, String interfaceName);
  }

  Spaces(LabSpaces labs) {
    this.labs = labs;
  }

  /**
   * Opens a namespace.
   *
   * @param text a name, a path, {@code lab:NAME}, or empty for the platform's own
   * @throws NetException ENOENT, EINVAL, EPERM
   */
  NetNamespace open(String text, String interfaceName) {
    try {
      if (text.isEmpty()) {
        return NetNamespace.current();
      }
      if (text.startsWith(LAB)) {
        String lab = text.substring(LAB.length());
        return labs.open(lab, interfaceName)
            .orElseThrow(
                () ->
                    new NetException(
                        Errno.ENOENT,
                        "netns: no lab '"
                            + lab
                            + "' has an interface '"
                            + interfaceName
                            + "'; see net:lab list"));
      }
      return text.startsWith("/") ? NetNamespace.ofPath(Path.of(text)) : NetNamespace.named(text);
    } catch (PosixException e) {
      throw new NetException(e.code(), "netns: " + e.getMessage(), e);
    }
  }
}
