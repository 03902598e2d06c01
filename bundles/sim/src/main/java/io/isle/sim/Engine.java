package io.isle.sim;

import io.isle.api.base.Errno;
import io.isle.api.driver.CompletionSink;
import java.util.function.Predicate;

/** An engine of a simulated device: runs one submission at a time. */
final class Engine {
  private final Scenario.Device spec;
  private final SimulatedDevice.World world;
  private final SimulatedDevice device;
  private final EventQueue.Timer timer = new EventQueue.Timer(this::end);

  /** Null while there is none. */
  private SimulatedDevice.Taken taken;

  private long beganAt;

  /** How long it will take from there, if nothing stops it, and how much of that is work. */
  private long lastsNs;

  private long workNs;

  /** It leaves before its end; then how far it came, and as what it ends. */
  private boolean leaves;

  private long progress;
  private int status;
  private int detail;

  Engine(Scenario.Device spec, SimulatedDevice.World world, SimulatedDevice device) {
    this.spec = spec;
    this.world = world;
    this.device = device;
  }

  void begin(SimulatedDevice.Taken next) {
    taken = next;
    beganAt = world.nowNs();
    leaves = false;
    status = CompletionSink.SUCCESS;
    detail = 0;
    next.work().begin(beganAt);
    world.began(next.tag());
    workNs = next.work().leftNs();
    lastsNs = workNs + device.drawStallNs();
    world.events().set(timer, beganAt + lastsNs);
  }

  boolean isFree() {
    return taken == null;
  }

  /** Whether it runs work of the context. */
  boolean isOf(long context) {
    return taken != null && taken.isOf(context);
  }

  /** Work since it began: stalls are spread evenly over it. */
  long ranNs() {
    long passed = world.nowNs() - beganAt;
    return passed >= lastsNs || lastsNs == workNs
        ? passed - (lastsNs - workNs)
        : (long) ((double) passed * workNs / lastsNs);
  }

  private long lastsNs(long work) {
    return lastsNs == workNs ? work : (long) Math.ceil((double) work * lastsNs / workNs);
  }

  private void end() {
    SimulatedDevice.Taken over = taken;
    taken = null;
    long ran = ranNs();
    long passed = world.nowNs() - beganAt;
    Work work = over.work();
    if (leaves) {
      work.leave(progress, passed, detail == -Errno.ERESTART);
    } else if (status == CompletionSink.SUCCESS && work.fails()) {
      status = CompletionSink.ERROR;
    }
    work.tenant().ran(ran);
    device.ended(this, over.tag(), status, world.clockNs() - passed, ran, detail);
  }

  /** At the next point of its own time where it can. */
  void leave(int asStatus, int asDetail) {
    long ran = ranNs();
    long step = spec.checkIntervalNs();
    long check = (ran + step - 1) / step * step;
    if (leaves || check >= taken.work().leftNs()) {
      return;
    }
    leaves = true;
    progress = check;
    status = asStatus;
    detail = asDetail;
    world.events().set(timer, beganAt + lastsNs(check) + spec.preemptNs());
  }

  /** As the platform counts: time on an engine, over all stretches. */
  boolean isOverLimit() {
    Work work = taken.work();
    return work.ranNs() + world.nowNs() - beganAt >= work.tenant().limitNs();
  }

  /** It goes on, and its end is that of one over its limit. */
  void timeOut() {
    if (!leaves) {
      status = CompletionSink.TIMEOUT;
      detail = -Errno.ETIMEDOUT;
    }
  }

  /** Ends with an error now if it is one of these. */
  void cut(Predicate<SimulatedDevice.Taken> which) {
    if (taken != null && which.test(taken)) {
      leaves = true;
      progress = 0;
      status = CompletionSink.ERROR;
      detail = 0;
      world.events().cancel(timer);
      end();
    }
  }

  /** What it runs is gone, without a word; returns how long that ran. */
  long drop() {
    if (taken == null) {
      return 0;
    }
    long ran = ranNs();
    taken.work().tenant().ran(ran);
    taken = null;
    world.events().cancel(timer);
    return ran;
  }
}
