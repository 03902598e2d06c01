package io.isle.core.accel;

import io.isle.api.accel.AccelException;
import io.isle.core.accel.device.ControlLane;
import io.isle.core.accel.settings.AccelLimits;
import java.util.function.Consumer;

/** Makes control calls that nobody waits for at once, on the thread of the simulator. */
final class InlineLane extends ControlLane {
  InlineLane() {
    super("virtual", () -> true, AccelLimits.DEFAULT.controlTimeoutMs(), cause -> {});
  }

  @Override
  public void post(String what, Runnable operation, Consumer<AccelException> done) {
    operation.run();
    done.accept(null);
  }
}
