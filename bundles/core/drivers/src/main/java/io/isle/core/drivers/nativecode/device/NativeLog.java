package io.isle.core.drivers.nativecode.device;

import io.isle.api.driver.DriverLog;
import io.isle.lib.shm.LogLines;
import java.util.Optional;

/** What a native driver logged last. */
final class NativeLog implements DriverLog {
  private final LogLines lines;

  NativeLog(LogLines lines) {
    this.lines = lines;
  }

  @Override
  public Optional<String> newest(long fromNs, long toNs) {
    try {
      return lines.newest(fromNs, toNs).map(LogLines.Line::text);
    } catch (IllegalStateException e) {
      // the driver is gone, and what it shared is unmapped
      return Optional.empty();
    }
  }
}
