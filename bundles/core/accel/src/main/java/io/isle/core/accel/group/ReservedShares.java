package io.isle.core.accel.group;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What contexts have of their own, cut out of the guarantees of their groups: by group, then
 * device, all contexts of it together. Immutable.
 */
public record ReservedShares(SortedMap<String, SortedMap<String, Share>> shares) {
  public static final ReservedShares NONE = new ReservedShares(Collections.emptySortedMap());

  /** Of the contexts directly in a group. */
  public Share of(String group, String device) {
    return shares
        .getOrDefault(group, Collections.emptySortedMap())
        .getOrDefault(device, Share.NONE);
  }

  /** With one more context. */
  public ReservedShares plus(String group, String device, Share share) {
    return with(group, device, of(group, device).plus(share));
  }

  /** With one context less. */
  public ReservedShares minus(String group, String device, Share share) {
    return with(group, device, of(group, device).minus(share));
  }

  private ReservedShares with(String group, String device, Share share) {
    SortedMap<String, Share> devices =
        new TreeMap<>(shares.getOrDefault(group, Collections.emptySortedMap()));
    SortedMap<String, SortedMap<String, Share>> all = new TreeMap<>(shares);
    if (share.isNone()) {
      devices.remove(device);
    } else {
      devices.put(device, share);
    }
    if (devices.isEmpty()) {
      all.remove(group);
    } else {
      all.put(group, Collections.unmodifiableSortedMap(devices));
    }
    return new ReservedShares(Collections.unmodifiableSortedMap(all));
  }
}
