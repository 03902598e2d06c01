package io.isle.api.driver;

/**
 * Extension of an {@link AccelDevice} that keeps waits of submissions itself. The core passes
 * submissions with open waits to such a device, at most half of the in-flight limit. In their
 * envelopes, the point of a wait is the awaited value, and 0 for a wait that is over. The device
 * reports the begin of the work ({@link DevicePort.Attachment#started}); until then, a wait counts
 * against the execution limit.
 *
 * <p>Values are points modulo {@code maxFenceValue + 1}. The core keeps waits that are more than
 * half of the range ahead, so {@link FenceProtocolSupport#reached} is right for all waits on the
 * device.
 */
public interface Fences {
  /** Control. The fence support, constant while the device is open. */
  FenceProtocolSupport support();

  /**
   * Data. The timeline has reached {@code value}: waits of submissions on the device for this value
   * and earlier values are over. Also called for waits that the device knows to be over. Never
   * blocks, allocates or throws.
   *
   * @param timeline as in the envelope
   */
  void signalled(long timeline, long value);

  /**
   * Data. A wait of the submission with this tag can never end: the submission completes without a
   * begin, with the status ERROR and any detail.
   */
  void cancel(long tag);
}
