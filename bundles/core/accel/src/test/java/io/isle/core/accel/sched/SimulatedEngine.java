package io.isle.core.accel.sched;

import io.isle.core.accel.machine.AnswerCharges;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;

/**
 * One device and its tenants in virtual time, driven by a {@link SchedulingCore} as an agent would:
 * the device runs what is in flight one after the other, in the order of starting.
 */
final class SimulatedEngine {
  static final long MS = 1_000_000;

  final SchedulingCore core;
  final List<Tenant> tenants = new ArrayList<>();

  /** Called with a context whenever one of its submissions starts. */
  IntConsumer onStart = c -> {};

  /** Called when the device has nothing in flight and is offered nothing. */
  Runnable onRest = () -> {};

  /** Whether submissions can be taken off the device. */
  boolean preemptible;

  /** How long a nanosecond of work takes, in tenths of one. */
  int slow = 10;

  /** What a model says of the next submission; negative for nothing. */
  LongSupplier answers = () -> SchedulingCore.AVERAGE;

  /** Added to the virtual time wherever the core is told it. */
  LongSupplier clockError = () -> 0;

  long busyNs;
  int preemptions;
  private final AnswerCharges charges = new AnswerCharges(Limits.MAX_CONTEXTS);
  private final Running[] slots;
  private final ArrayDeque<Running> device = new ArrayDeque<>();
  private long now;

  /** Whether there is room for a submission that the core does not have. */
  private boolean hungry;

  SimulatedEngine(SchedulingCore core, int depth) {
    this.core = core;
    slots = new Running[depth];
  }

  /** A submission on the device. */
  private final class Running {
    final int slot;
    final Tenant tenant;
    final boolean fails;

    /** Of a model; negative for none. */
    final long answer;

    /** What it took before it was taken off the device. */
    final long before;

    long left;
    long since;

    Running(int slot, Tenant tenant, boolean fails, long left, long answer, long before) {
      this.slot = slot;
      this.tenant = tenant;
      this.fails = fails;
      this.left = left;
      this.answer = answer;
      this.before = before;
    }

    Running after(long busy) {
      return new Running(slot, tenant, fails, left - busy, answer, before + busy);
    }

    Running again(int to) {
      return new Running(to, tenant, fails, left, answer, before);
    }

    long endsAt() {
      return since + (left * slow + 9) / 10;
    }
  }

  /** A context and what it submits. */
  final class Tenant {
    final int context;
    final LongSupplier duration;

    /** Submissions that have not started; {@link Long#MAX_VALUE} for one that floods. */
    long pending;

    /** How many come at a time, and how often; 0 for none. */
    long burst;

    long every;
    long nextArrival = SchedulingCore.NEVER;

    /** Time from an end to the next submission; -1 for a tenant that does not wait for ends. */
    long think = -1;

    /** Whether the next one fails without having used the device. */
    java.util.function.BooleanSupplier fails = () -> false;

    long given;
    long ended;
    long started;
    long longestWait;
    private long readySince;
    private final ArrayDeque<Running> resumed = new ArrayDeque<>();

    Tenant(int context, LongSupplier duration) {
      this.context = context;
      this.duration = duration;
    }

    Tenant floods() {
      submit(Long.MAX_VALUE);
      return this;
    }

    Tenant periodic(long first, long period, long count) {
      nextArrival = first;
      every = period;
      burst = count;
      return this;
    }

    Tenant synchronous(long thinkNs) {
      think = thinkNs;
      submit(1);
      return this;
    }

    void submit(long count) {
      if (pending == 0 && resumed.isEmpty()) {
        readySince = now;
      }
      pending = count == Long.MAX_VALUE ? count : Math.addExact(pending, count);
      core.ready(context);
    }

    void stops() {
      pending = 0;
      nextArrival = SchedulingCore.NEVER;
      think = -1;
      if (resumed.isEmpty()) {
        core.idle(context);
      }
    }
  }

  Tenant tenant(int context, LongSupplier duration) {
    Tenant tenant = new Tenant(context, duration);
    tenants.add(tenant);
    return tenant;
  }

  long now() {
    return now;
  }

  private long coreNow() {
    return now + clockError.getAsLong();
  }

  /** Runs until the virtual time is {@code end}. */
  void run(long end) {
    while (true) {
      arrive();
      fill();
      long next = nextEvent();
      if (next > end) {
        now = end;
        core.at(coreNow());
        return;
      }
      now = Math.max(now, next);
      core.at(coreNow());
      if (!device.isEmpty() && device.peek().endsAt() <= now) {
        complete(device.poll());
      }
    }
  }

  private void arrive() {
    for (Tenant tenant : tenants) {
      while (tenant.nextArrival <= now) {
        tenant.nextArrival =
            tenant.every == 0 ? SchedulingCore.NEVER : tenant.nextArrival + tenant.every;
        tenant.submit(tenant.burst);
      }
    }
  }

  private void fill() {
    hungry = false;
    for (int slot = 0; slot < slots.length; slot++) {
      while (slots[slot] == null) {
        int c = core.next(coreNow());
        if (c == SchedulingCore.NONE) {
          hungry = true;
          if (device.isEmpty()) {
            onRest.run();
          }
          break;
        }
        start(slot, find(c));
      }
    }
    if (preemptible) {
      preempt();
    }
  }

  private void start(int slot, Tenant tenant) {
    boolean fails = tenant.fails.getAsBoolean();
    Running running;
    if (!tenant.resumed.isEmpty()) {
      running = tenant.resumed.poll().again(slot);
    } else {
      long left = fails ? 0 : tenant.duration.getAsLong();
      running = new Running(slot, tenant, fails, left, answers.getAsLong(), 0);
      tenant.pending -= tenant.pending == Long.MAX_VALUE ? 0 : 1;
    }
    long charge = charges.charge(tenant.context, running.answer, running.before);
    core.onStart(slot, tenant.context, coreNow(), charge);
    tenant.started++;
    tenant.longestWait = Math.max(tenant.longestWait, now - tenant.readySince);
    tenant.readySince = now;
    running.since = now;
    slots[slot] = running;
    device.add(running);
    if (tenant.pending == 0 && tenant.resumed.isEmpty()) {
      core.idle(tenant.context);
    }
    onStart.accept(tenant.context);
  }

  private void complete(Running running) {
    slots[running.slot] = null;
    Tenant tenant = running.tenant;
    if (running.fails) {
      core.onAbandon(running.slot);
    } else {
      account(running, running.left);
      if (running.answer >= 0) {
        charges.ended(tenant.context, running.answer, running.before + running.left);
      }
    }
    tenant.ended++;
    begin();
    if (tenant.think >= 0) {
      tenant.burst = 1;
      tenant.nextArrival = now + tenant.think;
    }
  }

  private void account(Running running, long busy) {
    core.onEnd(running.slot, busy, coreNow());
    running.tenant.given += busy;
    busyNs += busy;
  }

  private void begin() {
    if (!device.isEmpty()) {
      device.peek().since = Math.max(device.peek().since, now);
    }
  }

  private void preempt() {
    Preemption preemption = core.preemption();
    int slot = preemption.advise(coreNow());
    if (slot == Preemption.NONE) {
      return;
    }
    Running running = slots[slot];
    if (running != device.peek()) {
      throw new AssertionError("what does not run cannot be preempted");
    }
    preemptions++;
    var ignored = device.poll();
    slots[slot] = null;
    long busy = Math.min(running.left, (now - running.since) * 10 / slow);
    Tenant tenant = running.tenant;
    if (tenant.pending == 0 && tenant.resumed.isEmpty()) {
      tenant.readySince = now;
    }
    tenant.resumed.add(running.after(busy));
    account(running, busy);
    core.ready(tenant.context);
    begin();
    fill();
  }

  private long nextEvent() {
    // while nothing more fits there is nothing to wake up for
    long next = hungry ? core.nextTimer() : SchedulingCore.NEVER;
    if (next != SchedulingCore.NEVER) {
      next = Math.max(next - clockError.getAsLong(), now + 1);
    }
    if (preemptible && core.preemption().nextTimer() != SchedulingCore.NEVER) {
      next = Math.min(next, Math.max(core.preemption().nextTimer(), now + 1));
    }
    if (!device.isEmpty()) {
      next = Math.min(next, device.peek().endsAt());
    }
    for (Tenant tenant : tenants) {
      next = Math.min(next, tenant.nextArrival);
    }
    return next;
  }

  private Tenant find(int c) {
    for (Tenant tenant : tenants) {
      if (tenant.context == c) {
        return tenant;
      }
    }
    throw new AssertionError("context " + c + " has no tenant");
  }
}
