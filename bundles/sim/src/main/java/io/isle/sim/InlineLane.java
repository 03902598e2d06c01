package io.isle.sim;

import io.isle.api.driver.ControlLane;
import io.isle.api.driver.DriverException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Makes control calls at once, on the thread of the simulator. */
final class InlineLane implements ControlLane {
  @Override
  public <T> T call(String what, Supplier<T> operation) {
    return operation.get();
  }

  @Override
  public void run(String what, Runnable operation) {
    operation.run();
  }

  @Override
  public <T> T build(String what, int programs, Supplier<T> operation) {
    return operation.get();
  }

  @Override
  public void post(String what, Runnable operation, Consumer<DriverException> done) {
    operation.run();
    done.accept(null);
  }
}
