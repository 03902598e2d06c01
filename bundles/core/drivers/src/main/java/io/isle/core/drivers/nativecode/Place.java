package io.isle.core.drivers.nativecode;

import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.DevicePort;

/**
 * Where a native driver works: what it shares with the core and whom it tells.
 *
 * @param completions gets completions, on the thread that polls the device
 * @param starts gets the begin of work, on the same thread
 */
public record Place(
    DevicePort.Shared commands,
    DevicePort.Shared doorbell,
    CompletionSink completions,
    StartSink starts) {
  /** As {@link DevicePort.Plug#started}. */
  @FunctionalInterface
  public interface StartSink {
    void started(long tag, long ns);
  }

  public static Place of(DevicePort.Plug plug) {
    return of(plug, plug.completions());
  }

  /** With another sink. */
  public static Place of(DevicePort.Plug plug, CompletionSink completions) {
    return new Place(plug.commands(), plug.doorbell(), completions, plug::started);
  }
}
