package io.isle.faces.shell.accel;

import io.isle.api.device.DeviceTree;
import io.isle.faces.shell.Services;
import io.isle.faces.shell.ShellException;
import java.util.List;
import java.util.function.Function;

/** Keeps the rows of one device. */
final class DeviceFilter {
  private DeviceFilter() {}

  /**
   * Rows of {@code device}, or all when it is null.
   *
   * @throws ShellException when there is no such device
   */
  static <T> List<T> keep(
      Services services, String device, List<T> rows, Function<T, String> deviceOf) {
    if (device == null) {
      return rows;
    }
    if (!services.with(DeviceTree.class, tree -> tree.find(device).isPresent())) {
      throw ShellException.failed("no device " + device + "; see device:list");
    }
    return rows.stream().filter(row -> deviceOf.apply(row).equals(device)).toList();
  }
}
