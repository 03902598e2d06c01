package io.isle.faces.shell.spin.nics;

import io.isle.api.spin.ContextInfo;
import io.isle.api.spin.NicAdmin;
import io.isle.faces.shell.Services;
import java.util.List;

/**
 * The contexts at one time.
 *
 * @param atNs of a monotonic clock
 */
record TopReading(long atNs, List<ContextInfo> contexts) {
  static TopReading of(Services services) {
    return services.with(
        NicAdmin.class, admin -> new TopReading(System.nanoTime(), admin.contexts()));
  }
}
