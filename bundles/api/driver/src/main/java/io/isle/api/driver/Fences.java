package io.isle.api.driver;

/**
 * An optional part of an {@link AccelDevice} that keeps waits of submissions itself. The core then
 * hands submissions over whose waits are not over yet, at most half of those that may be on the
 * device: in their envelopes the wait's point is the value that the device is to wait for, and 0
 * where there is nothing to wait for. The device tells when the work has begun ({@link
 * DevicePort.Attachment#started}); until then a wait counts towards the execution limit.
 *
 * <p>Values are points modulo {@code maxFenceValue + 1}, and no wait is handed over that is more
 * than half of that ahead, so that {@link FenceProtocolSupport#reached} tells which are over.
 */
public interface Fences {
  /** Control. Constant while the device is open. */
  FenceProtocolSupport support();

  /**
   * Data. The timeline has reached {@code value}: waits of submissions on the device for this and
   * earlier values of it are over. Of waits that the device knows to be over already, too; never
   * blocks, allocates or throws.
   *
   * @param timeline as in the envelope
   */
  void signalled(long timeline, long value);

  /**
   * Data. The submission with this tag waits for what will not come: it completes without having
   * begun, with the status ERROR and any detail.
   */
  void cancel(long tag);
}
