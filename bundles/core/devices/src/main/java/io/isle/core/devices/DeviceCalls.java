package io.isle.core.devices;

import java.util.function.Consumer;

/** How the owner of a driver is called. */
@FunctionalInterface
interface DeviceCalls {
  /** At once: done when it returns. */
  DeviceCalls DIRECT =
      (id, work, done) -> {
        RuntimeException failure = null;
        try {
          work.run();
        } catch (RuntimeException e) {
          failure = e;
        } catch (Error e) {
          failure = new IllegalStateException(e.toString(), e);
        }
        done.accept(failure);
      };

  /**
   * Makes a call about a device, after those about the same device that came before.
   *
   * @param done hears of the end on the registry's thread, with null or what was thrown; an error
   *     comes wrapped
   */
  void call(String id, Runnable work, Consumer<RuntimeException> done);
}
