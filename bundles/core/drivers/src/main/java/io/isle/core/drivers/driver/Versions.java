package io.isle.core.drivers.driver;

import java.util.Optional;

/** What is known of other versions of a driver. */
public interface Versions {
  /** Nothing is kept. */
  Versions NONE =
      new Versions() {
        @Override
        public void proven() {}

        @Override
        public Optional<DriverHandle> lastGood() {
          return Optional.empty();
        }

        @Override
        public Optional<DriverHandle> changed() {
          return Optional.empty();
        }
      };

  /** A device was opened and works: this version is one to fall back on. */
  void proven();

  /**
   * The version to fall back on where this one does not open, although it does elsewhere; empty if
   * there is none.
   */
  Optional<DriverHandle> lastGood();

  /**
   * Where this relies on what the driver said earlier, asks it; the same driver as it is now, if
   * that is another. May block.
   *
   * @throws io.isle.api.driver.DriverException when it does not answer
   */
  Optional<DriverHandle> changed();
}
