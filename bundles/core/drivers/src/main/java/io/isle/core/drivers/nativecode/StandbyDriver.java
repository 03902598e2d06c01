package io.isle.core.drivers.nativecode;

import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.core.drivers.nativecode.control.CoreConnection;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A driver that is loaded, in a host or in this process, and knows the memory that the core shares,
 * but has opened nothing. One owner, who either opens or closes it.
 */
public final class StandbyDriver implements AutoCloseable {
  private final Connected way;

  StandbyDriver(Connected way) {
    this.way = way;
  }

  /** Its host, in tier 2. */
  public Optional<Long> pid() {
    return way.lane().hostPid();
  }

  public boolean alive() {
    return way.lane().alive();
  }

  /** {@code listener} hears once, on any thread, if it ends by itself before it is used. */
  public void onLost(Consumer<RecoveryCause> listener) {
    way.lane().onLost(listener);
  }

  /** As {@link NativeDriver#open}, in the tier it was made for; it is used up, also by a throw. */
  public NativeOpened open(
      DeviceSpec spec, int epoch, CoreConnection connection, Consumer<RecoveryCause> lost) {
    way.lane().epoch(epoch);
    return way.open(spec, connection, lost);
  }

  @Override
  public void close() {
    way.lane().close();
  }
}
