package io.isle.sim;

import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.AllocArgs;
import io.isle.api.driver.Allocation;
import io.isle.api.driver.ContextArgs;
import io.isle.api.driver.PerformanceLevel;
import io.isle.api.driver.PowerState;
import io.isle.api.driver.Utilization;
import java.util.Optional;

/** What of a device no simulation is about: no memory, no power, no optional part. */
abstract class BareDevice implements AccelDevice {
  @Override
  public <X> Optional<X> extension(Class<X> type) {
    return Optional.empty();
  }

  @Override
  public void createContext(long context, ContextArgs args) {}

  @Override
  public Allocation allocate(long context, long memory, AllocArgs args) {
    return new Allocation(args.size(), Optional.empty());
  }

  @Override
  public void free(long memory) {}

  @Override
  public Utilization utilization() {
    return new Utilization(0, 0, 0, 0, 0, 0, 0, 0);
  }

  @Override
  public PowerState power() {
    return new PowerState(0, PerformanceLevel.AUTO, 0, 0, 0, 0, false);
  }

  /** Completions come from the events. */
  @Override
  public int poll(int limit) {
    return 0;
  }
}
