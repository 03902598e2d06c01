package io.isle.core.drivers.nativecode.control;

import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.DevicePort;
import java.util.function.Supplier;

/**
 * Where a native driver works: what it shares with the core and whom it tells.
 *
 * @param agent whether the device's agent sleeps, for reading
 * @param bells makes the page on which one process or library of the driver rings
 * @param completions gets completions, on the thread that polls the device
 * @param starts gets the begin of work, on the same thread
 */
public record Place(
    DevicePort.Shared commands,
    DevicePort.Shared agent,
    Supplier<DevicePort.Bell> bells,
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
    return new Place(plug.commands(), plug.agent(), plug::newBell, completions, plug::started);
  }
}
