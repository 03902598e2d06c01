package io.isle.faces.shell.net.nets;

import io.isle.api.net.NetAdmin;
import io.isle.api.net.NetInfo;
import io.isle.faces.shell.Services;
import java.util.List;

/**
 * The nets at one time.
 *
 * @param atNs of a monotonic clock
 */
record TopReading(long atNs, List<NetInfo> nets) {
  static TopReading of(Services services) {
    return services.with(NetAdmin.class, admin -> new TopReading(System.nanoTime(), admin.nets()));
  }
}
