package io.isle.core.display.state;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * All screens at a moment.
 *
 * @param generations of ids of framebuffers, as {@link io.isle.lib.ids.IdPool#generations} gives
 *     them
 */
public record Snapshot(Lineage lineage, int[] generations, Map<String, DeviceState> devices) {
  /** What of it is still good: nothing in another run of the platform. */
  public Optional<Snapshot> in(Lineage now) {
    if (!lineage.framework().equals(now.framework())) {
      return Optional.empty();
    }
    Map<String, DeviceState> left = new TreeMap<>();
    devices.forEach(
        (id, device) -> {
          DeviceState good = lineage.sameMemory(now) ? device : device.withoutFrames();
          left.put(id, lineage.sameEpochs(now) ? good : good.unopened());
        });
    return Optional.of(new Snapshot(now, generations, left));
  }
}
