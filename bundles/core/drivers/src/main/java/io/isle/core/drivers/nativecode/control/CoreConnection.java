package io.isle.core.drivers.nativecode.control;

import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.DevicePort;
import java.util.function.Supplier;

/**
 * The connection of a native driver to the core: shared memory, and the receivers of its
 * completions and starts.
 *
 * @param agent whether the device's agent sleeps, for reading
 * @param bells makes the page on which one process or library of the driver rings
 * @param completions gets completions, on the thread that polls the device
 * @param starts gets the begin of work, on the same thread
 */
public record CoreConnection(
    DevicePort.Shared commands,
    DevicePort.Shared agent,
    Supplier<DevicePort.Bell> bells,
    CompletionSink completions,
    StartSink starts) {
  /** As {@link DevicePort.Attachment#started}. */
  @FunctionalInterface
  public interface StartSink {
    void started(long tag, long ns);
  }

  public static CoreConnection of(DevicePort.Attachment attachment) {
    return of(attachment, attachment.completions());
  }

  /** As {@link #of(DevicePort.Attachment)}, with another receiver of completions. */
  public static CoreConnection of(DevicePort.Attachment attachment, CompletionSink completions) {
    return new CoreConnection(
        attachment.commands(),
        attachment.agent(),
        attachment::newBell,
        completions,
        attachment::started);
  }
}
