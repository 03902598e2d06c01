package io.isle.core.drivers.driver;

import io.isle.api.device.RecoveryCause;
import java.util.Optional;
import java.util.function.Consumer;

/** A driver that is loaded, in a host where its tier has one, and waits for a device. */
public interface Standby extends AutoCloseable {
  /** Its host. */
  Optional<Long> pid();

  boolean alive();

  /** {@code listener} hears once, on any thread, if it ends by itself before it is used. */
  void onLost(Consumer<RecoveryCause> listener);

  /** Ends it, if it was not used. Bounded. */
  @Override
  void close();
}
