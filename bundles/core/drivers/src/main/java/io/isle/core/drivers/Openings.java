package io.isle.core.drivers;

import io.isle.api.base.Errno;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.DriverException;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Counts the openings of a device, and is the funnel of everything that befalls them: a cause names
 * the opening that it is about. One thread begins openings; {@link #lost} is for any.
 */
final class Openings {
  private final BiConsumer<Integer, RecoveryCause> told;
  private volatile int epoch;
  private volatile Said said = new Said(-1, null);

  /** The newest cause that was heard of. */
  private record Said(int opening, RecoveryCause cause) {}

  /**
   * @param before how often the device was opened before
   * @param told hears of every cause, on any thread
   */
  Openings(int before, BiConsumer<Integer, RecoveryCause> told) {
    this.epoch = before;
    this.told = told;
  }

  /** The newest opening, whether it came about or not. */
  int newest() {
    return epoch;
  }

  /** Number of the next one. */
  int begin() {
    int next = epoch + 1;
    epoch = next;
    return next;
  }

  void lost(int opening, RecoveryCause cause) {
    said = new Said(opening, cause);
    told.accept(opening, cause);
  }

  /** What was said about the newest opening, if it is lost. */
  Optional<RecoveryCause> saidOfNewest() {
    Said now = said;
    return now.opening == epoch ? Optional.of(now.cause) : Optional.empty();
  }

  /**
   * Goes on only while nothing was said about the newest opening.
   *
   * @throws DriverException ENODEV with what was said
   */
  void check() {
    saidOfNewest()
        .ifPresent(
            cause -> {
              throw new DriverException(Errno.ENODEV, cause.text());
            });
  }
}
