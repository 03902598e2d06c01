package io.isle.core.accel.group;

import io.isle.api.base.Errno;
import io.isle.api.base.GroupNames;
import io.isle.api.tenancy.TenancyException;
import java.util.HashMap;
import java.util.Map;

/**
 * Device memory by group, over all devices: what a context takes counts for its group and all above
 * it, and none of them has more than its {@code memory.max} by it. A group that is not there counts
 * as the root until it comes. Thread-safe.
 */
public final class MemoryLedger {
  /** Bytes now, and most at a time. */
  private static final class Amount {
    private long used;
    private long peak;

    void add(long bytes) {
      used += bytes;
      peak = Math.max(peak, used);
    }
  }

  /** A group with all below it. */
  private static final class Level {
    private final AccelGroup group;
    private final Level parent;
    private final Amount all = new Amount();
    private final Map<String, Amount> devices = new HashMap<>();

    /** Of contexts directly in it, by device. */
    private final Map<String, Amount> own = new HashMap<>();

    Level(AccelGroup group, Level parent, Level before) {
      this.group = group;
      this.parent = parent;
      if (before != null) {
        all.peak = before.all.peak;
        before.devices.forEach((device, amount) -> of(devices, device).peak = amount.peak);
        before.own.forEach((device, amount) -> of(own, device).peak = amount.peak);
      }
    }

    void add(String device, long bytes) {
      of(own, device).add(bytes);
      for (Level level = this; level != null; level = level.parent) {
        level.all.add(bytes);
        of(level.devices, device).add(bytes);
      }
    }

    static Amount of(Map<String, Amount> amounts, String device) {
      return amounts.computeIfAbsent(device, id -> new Amount());
    }
  }

  /** By the name that contexts have, then device: bytes taken. */
  private final Map<String, Map<String, Long>> taken = new HashMap<>();

  private Map<String, Level> levels = new HashMap<>();

  public MemoryLedger() {
    apply(AccelGroups.EMPTY);
  }

  /** Other groups and limits. What is taken stays, also where that is more than a limit. */
  public synchronized void apply(AccelGroups groups) {
    Map<String, Level> next = new HashMap<>();
    for (AccelGroup group : groups.all()) {
      Level parent = group.parent().map(next::get).orElse(null);
      next.put(group.name(), new Level(group, parent, levels.get(group.name())));
    }
    levels = next;
    taken.forEach(
        (name, devices) -> devices.forEach((device, bytes) -> level(name).add(device, bytes)));
  }

  /**
   * Takes memory for a context.
   *
   * @param bytes 0 or more
   * @throws TenancyException ENOMEM with the group whose limit it is, the limit and what is taken;
   *     then nothing is
   */
  public synchronized void take(String group, String device, long bytes) {
    for (Level level = level(group); level != null; level = level.parent) {
      long max = level.group.memoryMaxBytes();
      if (bytes > max - level.all.used) {
        throw new TenancyException(
            Errno.ENOMEM,
            level.group.name(),
            AccelGroupKeys.MEMORY_MAX,
            "group "
                + level.group.name()
                + ": "
                + bytes
                + " bytes more would exceed the group's memory.max of "
                + max
                + " ("
                + level.all.used
                + " are in use)");
      }
    }
    add(group, device, bytes);
  }

  /** Gives back what {@link #take} took for the same group and device. */
  public synchronized void give(String group, String device, long bytes) {
    long left = taken.getOrDefault(group, Map.of()).getOrDefault(device, 0L) - bytes;
    if (bytes < 0 || left < 0) {
      throw new IllegalStateException(group + " gives back more of " + device + " than it took");
    }
    add(group, device, -bytes);
  }

  private void add(String group, String device, long bytes) {
    level(group).add(device, bytes);
    Map<String, Long> devices = taken.computeIfAbsent(group, name -> new HashMap<>());
    if (devices.merge(device, bytes, Long::sum) == 0) {
      devices.remove(device);
    }
    if (devices.isEmpty()) {
      taken.remove(group);
    }
  }

  private Level level(String group) {
    Level level = levels.get(group);
    return level == null ? levels.get(GroupNames.DEFAULT) : level;
  }

  /** Bytes that a group with all below it has now. */
  public synchronized long used(String group) {
    return level(group).all.used;
  }

  /** Most bytes at a time. */
  public synchronized long peak(String group) {
    return level(group).all.peak;
  }

  /**
   * Bytes of one device.
   *
   * @param alone without the groups below it
   */
  public synchronized long used(String group, String device, boolean alone) {
    return amount(group, device, alone).used;
  }

  /** Most bytes of one device at a time. */
  public synchronized long peak(String group, String device, boolean alone) {
    return amount(group, device, alone).peak;
  }

  private Amount amount(String group, String device, boolean alone) {
    Level level = level(group);
    Amount amount = (alone ? level.own : level.devices).get(device);
    return amount == null ? new Amount() : amount;
  }
}
