package io.isle.core.accel.machine;

import java.util.Objects;

/**
 * By context, the group whose process has it, where groups have processes of their own. What a
 * driver's process of a group does wrong is laid at that group's door, and each gets its share of
 * the device. The agent's; allocates nothing.
 */
public final class HostGroups {
  /** Refusals in a row, at least 5 s, after which a process that has nothing to do is given up. */
  public static final int MOST_REFUSALS = 100_000;

  /** More groups than have processes at a time: some may wait for theirs. Others share the last. */
  public static final int PROCESSES = 18;

  private final DeviceScheduler scheduler;
  private final InFlightTable inFlight;
  private final String[] group;
  private final byte[] process;
  private final int[] refusals;
  private final String[] names = new String[PROCESSES];
  private final int[] members = new int[PROCESSES];
  private boolean shallow;
  private int mostInFlight;

  /**
   * @param mostInFlight on the device, or on each of its processes while there are several
   */
  public HostGroups(
      int contexts, DeviceScheduler scheduler, InFlightTable inFlight, int mostInFlight) {
    this.scheduler = scheduler;
    this.inFlight = inFlight;
    group = new String[contexts];
    process = new byte[contexts];
    refusals = new int[contexts];
    limit(mostInFlight);
  }

  /** Whether so little may be in flight that the device soon stands still without its agent. */
  public boolean isShallow() {
    return shallow;
  }

  /** From now on so many submissions may be in flight, or fewer where something is promised. */
  public void limit(int most) {
    mostInFlight = most;
    settle();
  }

  /**
   * After what may be in flight changed. Of what is promised nothing can be recalled, so that there
   * the whole device has its depth; else each process has its own.
   */
  public void settle() {
    int depth = scheduler.depth(mostInFlight);
    shallow = depth < mostInFlight;
    int each = Math.max(1, inFlight.capacity() / PROCESSES);
    scheduler.share(shallow ? Math.max(1, depth - 1) : Math.min(depth, each));
    int limit = scheduler.isDivided() && !shallow ? inFlight.capacity() : depth;
    inFlight.limit(limit);
    scheduler.limit(limit);
  }

  /**
   * A context with nothing in flight is on a process now.
   *
   * @param name of the group; null where the device's own process has it
   */
  public void set(int c, String name) {
    refusals[c] = 0;
    if (Objects.equals(group[c], name)) {
      return;
    }
    int before = process[c];
    if (before != ProcessShares.OWN && --members[before] == 0) {
      names[before] = null;
    }
    int now = name == null ? ProcessShares.OWN : number(name);
    members[now] += now == ProcessShares.OWN ? 0 : 1;
    group[c] = name;
    process[c] = (byte) now;
    scheduler.move(c, now);
    settle();
  }

  private int number(String name) {
    int free = PROCESSES - 1;
    for (int i = PROCESSES - 1; i > ProcessShares.OWN; i--) {
      if (name.equals(names[i])) {
        return i;
      }
      free = names[i] == null ? i : free;
    }
    names[free] = name;
    return free;
  }

  /** The group whose process has the context; null if that is the device's own. */
  public String of(int c) {
    return group[c];
  }

  /** Work of the context ended. */
  public void ended(int c) {
    refusals[c] = 0;
  }

  /** Work of the context came back; whether that is once too often in a row. */
  public boolean refused(int c) {
    return ++refusals[c] == MOST_REFUSALS;
  }
}
