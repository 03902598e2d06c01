package io.isle.net.xdp.configure;

import io.isle.lib.ffi.NetNamespace;
import java.util.List;

/** Features of an interface that change frames before a program sees them. Thread-safe. */
public final class Offloads {
  private Offloads() {}

  /**
   * Those of some features that are on.
   *
   * @param names as ethtool says them, such as {@code rx-gro}
   * @throws io.isle.api.net.NetException ENODEV without the interface
   */
  public static List<String> on(NetNamespace space, String interfaceName, List<String> names) {
    return space.call(
        () -> {
          try (Ethtool ethtool = new Ethtool()) {
            ethtool.requireInterface(interfaceName);
            List<String> known = ethtool.features(interfaceName);
            return names.stream()
                .filter(known::contains)
                .filter(name -> ethtool.feature(interfaceName, known.indexOf(name)).on())
                .toList();
          }
        });
  }
}
