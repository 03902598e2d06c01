package io.isle.core.drivers.nativecode;

import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import java.util.function.Consumer;

/**
 * A driver host that has loaded its driver and knows the memory of a device's place, but has opened
 * nothing. One owner, who either opens or closes it.
 */
public final class StandbyHost implements AutoCloseable {
  private final NativeDriver.Connected way;

  StandbyHost(NativeDriver.Connected way) {
    this.way = way;
  }

  public long pid() {
    return way.lane().hostPid().orElseThrow();
  }

  public boolean alive() {
    return way.lane().alive();
  }

  /** {@code listener} hears once, on any thread, if the host ends by itself before it is used. */
  public void onLost(Consumer<RecoveryCause> listener) {
    way.lane().onLost(listener);
  }

  /** As {@link NativeDriver#open}; this host is used up, also when it throws. */
  public NativeOpened open(DeviceSpec spec, int epoch, Place place, Consumer<RecoveryCause> lost) {
    way.lane().epoch(epoch);
    return NativeDriver.opened(way, spec, place, lost);
  }

  @Override
  public void close() {
    way.lane().close();
  }
}
