package io.isle.core.drivers.recovery;

import io.isle.api.base.Errno;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.DriverException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;

/**
 * Counts the openings of a device, and is the funnel of everything that befalls them: a cause names
 * the opening that it is about. One thread begins openings; {@link #lost} is for any.
 */
public final class Openings {
  private final BiConsumer<Integer, RecoveryCause> told;
  private volatile int epoch;
  private final AtomicReference<Said> said = new AtomicReference<>(new Said(-1, null));

  /** The newest cause that was heard of the newest opening of which one was. */
  private record Said(int opening, RecoveryCause cause) {}

  /**
   * @param before how often the device was opened before
   * @param told hears of every cause, on any thread
   */
  public Openings(int before, BiConsumer<Integer, RecoveryCause> told) {
    this.epoch = before;
    this.told = told;
  }

  /** The newest opening, whether it came about or not. */
  public int newest() {
    return epoch;
  }

  /** Number of the next one. */
  int begin() {
    int next = epoch + 1;
    epoch = next;
    return next;
  }

  public void lost(int opening, RecoveryCause cause) {
    // what comes late, of an opening that is over, hides nothing of the one that followed
    var ignored =
        said.accumulateAndGet(
            new Said(opening, cause), (last, now) -> now.opening < last.opening ? last : now);
    told.accept(opening, cause);
  }

  /** What was said about the newest opening, if it is lost. */
  public Optional<RecoveryCause> saidOfNewest() {
    Said now = said.get();
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
