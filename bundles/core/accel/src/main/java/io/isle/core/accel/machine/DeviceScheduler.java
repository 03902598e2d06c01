package io.isle.core.accel.machine;

import io.isle.api.device.DeviceClass;
import io.isle.api.driver.DeviceInfo;
import io.isle.api.driver.DevicePort;
import io.isle.core.accel.group.AccelGroups;
import io.isle.core.accel.sched.SchedulingCore;
import io.isle.core.accel.sched.SchedulingPolicy;
import io.isle.core.accel.settings.SchedulingChoice;
import java.util.Optional;

/**
 * Decides which context's next submission starts on one device (accelerator framework, 42.2.4): the
 * {@link SchedulingCore} of all its contexts. Where groups have processes of their own, each
 * process has at most its share of what is in flight besides, so that work which does not end keeps
 * nobody but its own group from starting. The agent's; allocates nothing between a submission and
 * its end.
 */
public final class DeviceScheduler {
  private static final int GROUPS = 256;

  private final SchedulingCore core;
  private final GroupNumbers groups;
  private final ProcessShares shares;

  /** By context, whether it has something that could start. */
  private final boolean[] ready;

  /** By context, how many it has in flight. */
  private final int[] running;

  /** By in-flight index. */
  private final long[] startedAt;

  /** When a submission left the device last. */
  private long freedAt = Long.MIN_VALUE;

  /** Contexts that are ready or have something in flight. */
  private int active;

  /** Whether something came, started or ended. */
  private boolean changed;

  /** Whether a group has a limit here. */
  private boolean limited;

  /** The core's, for any thread. */
  private volatile SchedulingPolicy policy;

  private SchedulingChoice choice = SchedulingChoice.AUTO;
  private DeviceClass deviceClass = DeviceClass.OTHER;
  private int units = 1;

  /** Contexts that have a guarantee of their own. */
  private int guaranteed;

  /**
   * @param contexts indices are below this
   * @param depth in-flight indices are below this
   * @param processes numbers of processes are below this, at most 127
   */
  public DeviceScheduler(String device, int contexts, int depth, int processes, long now) {
    core =
        new SchedulingCore(
            contexts, GROUPS, depth, 1, SchedulingPolicy.defaultOf(DeviceClass.OTHER, false), now);
    policy = core.policy();
    groups = new GroupNumbers(device, core, contexts, GROUPS);
    shares = new ProcessShares(contexts, processes);
    ready = new boolean[contexts];
    running = new int[contexts];
    startedAt = new long[depth];
  }

  /** For the agent alone. */
  public SchedulingCore core() {
    return core;
  }

  /** Name of the group that the core has under a number; empty where there is none. */
  public Optional<String> groupName(int number) {
    return groups.name(number);
  }

  /** What the device is, as far as it matters here. */
  public void setDevice(DeviceInfo info) {
    deviceClass = info.deviceClass();
    units = Math.clamp(info.computeUnits(), 1, 1 << 16);
    core.preemption().setParallel(parallel());
    core.preemption()
        .setStops(info.preemption().compareTo(DeviceInfo.Preemption.DRAW_DISPATCH) >= 0);
    choosePolicy();
  }

  /** The administrator's choice. */
  public void choose(SchedulingChoice now) {
    choice = now;
    choosePolicy();
  }

  /** These groups from now on. */
  public void apply(AccelGroups now) {
    groups.apply(now);
    limited = groups.areLimited();
    changed = true;
    choosePolicy();
  }

  private void choosePolicy() {
    SchedulingPolicy now =
        choice
            .policy()
            .orElseGet(
                () ->
                    SchedulingPolicy.defaultOf(deviceClass, guaranteed > 0 || groups.areShared()));
    if (now != core.policy()) {
      core.setPolicy(now);
      policy = now;
    }
  }

  /** The policy in force; any thread. */
  public SchedulingPolicy policy() {
    return policy;
  }

  /**
   * Most submissions in flight.
   *
   * @param most what the administrator allows
   */
  int depth(int most) {
    return Math.min(
        most,
        choice
            .depth()
            .orElseGet(
                () ->
                    SchedulingPolicy.defaultDepth(
                        most, guaranteed > 0 || groups.haveGuarantees())));
  }

  /** So many may be in flight from now on. */
  public void limit(int most) {
    core.setLimit(most);
  }

  /** A context comes, with nothing ready. */
  void open(int c, SchedulingSpec spec) {
    core.open(
        c, groups.join(c, spec), spec.priority().ordinal(), spec.guaranteedNs(), spec.periodNs());
    if (spec.guaranteedUs() > 0) {
      guaranteed++;
      choosePolicy();
    }
  }

  /** A context goes. */
  void close(int c) {
    setReady(c, false);
    core.close(c);
    if (groups.leave(c).guaranteedUs() > 0) {
      guaranteed--;
      choosePolicy();
    }
  }

  /** The time is {@code now}. */
  void at(long now) {
    core.at(now);
  }

  /** The context has a submission that could start. Idempotent. */
  void ready(int c) {
    setReady(c, true);
    if (shares.hasRoom(c)) {
      core.ready(c);
    }
  }

  /** The context has none. Idempotent. */
  void idle(int c) {
    setReady(c, false);
    core.idle(c);
  }

  private void setReady(int c, boolean now) {
    if (ready[c] != now) {
      ready[c] = now;
      if (running[c] == 0) {
        active += now ? 1 : -1;
      }
      changed = true;
    }
  }

  /** Whether something came, started or ended since this was asked last. */
  public boolean takeChanged() {
    boolean was = changed;
    changed = false;
    return was;
  }

  /** Whether what runs may have to leave for another context, or for a limit. */
  public boolean isContended() {
    return active > 1 || limited;
  }

  /** The context to serve now, which stays ready; -1 if there is none. */
  int next(long now) {
    return core.next(now);
  }

  /**
   * A submission of the context is in flight from now on.
   *
   * @param advanceNs what it is charged in advance, or {@link SchedulingCore#AVERAGE}
   */
  void started(int index, int c, long now, long advanceNs) {
    core.onStart(index, c, now, advanceNs);
    startedAt[index] = now;
    running[c]++;
    changed = true;
    if (shares.started(c)) {
      refresh();
    }
  }

  /**
   * A submission of the context is not in flight any more. No driver can say that it took longer
   * than it was there.
   *
   * @param busyNs summed over units; 0 where the driver does not know
   * @param elapsedNs on the device, which counts then
   * @return time of the whole device that this was
   */
  long ended(int index, int c, long busyNs, long elapsedNs, long now) {
    long there = now - startedAt[index];
    long told = busyNs > 0 ? busyNs / units : elapsedNs;
    // a clock that went back says nothing
    return charge(index, c, there < 0 ? told : Math.min(told, there), now);
  }

  /**
   * As {@link #ended}, for one that was over its limit and had the device until now: it is charged
   * with that.
   */
  long cut(int index, int c, long now) {
    long there = now - Math.max(startedAt[index], freedAt);
    return charge(index, c, Math.max(0, there) / parallel(), now);
  }

  /** How long a submission in flight has been on the device, at the most. */
  public long thereNs(int index, long now) {
    return Math.max(0, now - startedAt[index]);
  }

  /** Of the time that a driver tells no more than all units can have worked on it. */
  long possible(int index, long busyNs, long now) {
    long there = thereNs(index, now);
    return busyNs / units > there ? there * units : busyNs;
  }

  private long charge(int index, int c, long given, long now) {
    freedAt = now;
    left(c);
    core.onEnd(index, given, now);
    return given;
  }

  /** Submissions that the device runs side by side. */
  private int parallel() {
    return Math.min(units, DevicePort.MAX_INFLIGHT);
  }

  /** How long a ceiling has held work of the context back, since it came. */
  long throttledNs(int c) {
    return limited ? core.readings().throttledNs(c) : 0;
  }

  /** As {@link #ended}, for one that cost nothing as far as anybody knows. */
  void abandoned(int index, int c) {
    left(c);
    core.onAbandon(index);
  }

  private void left(int c) {
    running[c]--;
    changed = true;
    if (running[c] == 0 && !ready[c]) {
      active--;
    }
    if (shares.left(c)) {
      refresh();
    }
  }

  /** The period over which the context's time is counted, its own or its group's. */
  public long periodNs(int c) {
    return groups.periodNs(c);
  }

  /** When something that may not start now may; {@link Long#MAX_VALUE} if time changes nothing. */
  public long nextTimer() {
    return core.nextTimer();
  }

  /** From now on a process has at most so many in flight, while there are several. */
  void share(int most) {
    if (shares.share(most)) {
      refresh();
    }
  }

  /** Whether there are several processes. */
  boolean isDivided() {
    return shares.isDivided();
  }

  /** A context with nothing in flight is on another process from now on. */
  void move(int c, int process) {
    if (shares.move(c, process)) {
      refresh();
    }
  }

  private void refresh() {
    for (int c = 0; c < ready.length; c++) {
      if (ready[c]) {
        if (shares.hasRoom(c)) {
          core.ready(c);
        } else {
          core.pause(c);
        }
      }
    }
  }
}
