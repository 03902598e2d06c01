package io.isle.net.jobs;

import io.isle.api.net.NetCounter;
import io.isle.lib.tile.RxDrop;
import io.isle.lib.tile.TxDrop;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The frames of a net that its kernel side and its tiles dropped, by reason. Immutable.
 *
 * @param counts by measure, such as {@code rx_no_app}
 */
record Losses(Map<String, Long> counts) {
  private static final List<String> KERNEL =
      List.of("other", "rx_invalid_descs", "tx_invalid_descs", "ring_full", "fill_ring_empty");

  /** All measures. */
  static final Set<String> NAMES = names();

  private static Set<String> names() {
    Set<String> names = new LinkedHashSet<>();
    for (RxDrop reason : RxDrop.values()) {
      names.add("rx_" + reason.text());
    }
    KERNEL.forEach(name -> names.add("kernel_" + name));
    for (TxDrop reason : TxDrop.values()) {
      names.add("tx_" + reason.text());
    }
    return names;
  }

  /** The sums of all tiles. */
  static Losses of(List<NetCounter> counters) {
    Map<String, Long> counts = new LinkedHashMap<>();
    NAMES.forEach(name -> counts.put(name, 0L));
    for (NetCounter counter : counters) {
      String name = counter.group() + "_" + counter.name();
      if (counts.containsKey(name)) {
        counts.merge(name, counter.value(), Long::sum);
      }
    }
    return new Losses(counts);
  }

  /** What was lost since. */
  Losses since(Losses begin) {
    Map<String, Long> more = new LinkedHashMap<>();
    counts.forEach((name, count) -> more.put(name, count - begin.counts.getOrDefault(name, 0L)));
    return new Losses(more);
  }

  long total() {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }
}
