package io.isle.faces.shell.model;

import io.isle.api.inference.Models;
import io.isle.api.inference.SlotInfo;
import io.isle.faces.shell.Services;
import java.util.List;

/**
 * The slots at one time.
 *
 * @param atNs of a monotonic clock
 */
record TopReading(long atNs, List<SlotInfo> slots) {
  static TopReading of(Services services) {
    return services.with(Models.class, models -> new TopReading(System.nanoTime(), models.slots()));
  }
}
