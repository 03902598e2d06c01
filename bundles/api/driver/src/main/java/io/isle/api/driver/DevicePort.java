package io.isle.api.driver;

import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Where opened devices are plugged in: offered by the owner of contexts, called by the owner of
 * drivers. Control plane; thread-safe.
 */
@ProviderType
public interface DevicePort {
  /** Index part of every tag is below this: most submissions in flight on one device. */
  int MAX_INFLIGHT = 1024;

  /**
   * Prepares a place for a device.
   *
   * @param commands command segment: envelopes are written here; shared with a driver host
   * @param doorbell one page; two ints at 0: bell and sleeping flag; shared with a driver host
   */
  Plug plug(String deviceId, MemorySegment commands, MemorySegment doorbell);

  /** A device's place. */
  interface Plug extends AutoCloseable {
    /** Completions of this device, ready before it is opened. */
    CompletionSink completions();

    /**
     * Whom to tell when the core finds the open device unusable: a control call that did not return
     * in time, a data call that threw. It is offline then. Called on a thread of the core's.
     */
    void onFailure(Consumer<String> listener);

    /** The device is open; tenants may use it from now on. */
    void online(AccelDevice device, int epoch);

    /**
     * The device is lost or about to be closed: no data call is made after this returns, each
     * submission in flight or pending has ended with -EINTR exactly once, contexts are lost.
     */
    void offline(String why);

    /** Takes the place away, with {@link #offline} where needed. */
    @Override
    void close();
  }
}
