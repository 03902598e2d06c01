package io.isle.core.drivers;

import io.isle.api.device.RecoveryCause;
import java.util.function.Consumer;

/** A driver host that has loaded its driver and waits for a device. */
interface Standby extends AutoCloseable {
  long pid();

  boolean alive();

  /** {@code listener} hears once, on any thread, if it ends by itself before it is used. */
  void onLost(Consumer<RecoveryCause> listener);

  /** Ends it, if it was not used. Bounded. */
  @Override
  void close();
}
