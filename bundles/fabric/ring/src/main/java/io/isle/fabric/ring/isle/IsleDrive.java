package io.isle.fabric.ring.isle;

import io.isle.api.fabric.RingPort;
import io.isle.fabric.ring.link.Direction;
import io.isle.fabric.ring.link.Drive;
import io.isle.fabric.ring.link.DriveLock;
import io.isle.fabric.ring.link.Shape;

/**
 * Who drives a link of dialect isle. Data calls drive while they last. The agent leaves the bytes
 * of a busy link to them, so that it is not woken by each acknowledgement, and looks at it from
 * time to time. A data call that has waited for long leaves the link to the agent, which is not
 * woken by heartbeats alone then, where the path can tell.
 */
final class IsleDrive implements Drive, AutoCloseable {
  /** Since the last data call: the link counts as busy. */
  private static final long BUSY_NS = 10_000_000;

  /** Since the last packet: a waiting data call leaves the link to the agent. */
  private static final long LEFT_NS = 1_000_000_000;

  /** Between two looks at a busy link. */
  private static final long LOOK_NS = 5_000_000;

  private final DriveLock lock = new DriveLock();
  private final IsleMachine machine;
  private final LanePorts ports;
  private final Runnable wakeAgent;
  private final Direction receiving;
  private final Direction sending;
  private final Shape shape = new Shape();
  private Runnable renewAgent = () -> {};
  private long pollNs = Long.MIN_VALUE;
  private long usedNs = Long.MIN_VALUE / 2;

  /** Whether the agent is woken by bytes of the peer. */
  private boolean armed;

  /** Whether heartbeats alone do not wake the agent. */
  private boolean resting;

  IsleDrive(IsleMachine machine, LanePorts ports, long spinNs, Runnable wakeAgent) {
    this.machine = machine;
    this.ports = ports;
    this.wakeAgent = wakeAgent;
    receiving = new Direction(this, RingPort.READABLE, spinNs);
    sending = new Direction(this, RingPort.WRITABLE, spinNs);
  }

  @Override
  public DriveLock lock() {
    return lock;
  }

  /** Runs on the driving thread when the descriptors of ports have changed. Set once. */
  void onNews(Runnable work) {
    renewAgent = work;
  }

  Direction receiving() {
    return receiving;
  }

  Direction sending() {
    return sending;
  }

  /** Behind a data call: others may go on. */
  void used(long nowNs) {
    usedNs = nowNs;
    attend();
    looked();
  }

  private void attend() {
    if (resting) {
      resting = false;
      machine.attend();
    }
  }

  /** Behind a data call that was woken in vain. */
  void looked() {
    nudge();
    if (!armed && machine.hasBacklog()) {
      armed = true;
      wakeAgent.run();
    }
  }

  /** The next poll is due at once. */
  void due() {
    pollNs = Long.MIN_VALUE;
    attend();
  }

  private void nudge() {
    if (machine.hasPacket()) {
      receiving.nudge();
    }
    if (machine.hasRoom()) {
      sending.nudge();
    }
  }

  @Override
  public void pollIfDue(long nowNs) {
    if (nowNs >= pollNs) {
      long ignored = poll(nowNs);
    }
  }

  @Override
  public long poll(long nowNs) {
    pollNs = Math.min(machine.poll(nowNs), ports.settle(nowNs));
    shape.begin();
    machine.shape(shape);
    if (shape.hasChanged()) {
      receiving.nudge();
      sending.nudge();
      renewAgent.run();
    } else {
      nudge();
    }
    return pollNs;
  }

  @Override
  public long pollNs() {
    return Math.min(pollNs, machine.deadline());
  }

  @Override
  public boolean isLeftToAgent(long nowNs) {
    return armed && nowNs - usedNs >= LEFT_NS;
  }

  @Override
  public void interests(RingPort.Interests interests, int wanted) {
    attend();
    machine.interests(interests, true);
  }

  @Override
  public long tend(long nowNs, RingPort.Interests interests) {
    long next = poll(nowNs);
    armed = nowNs - usedNs >= BUSY_NS || machine.hasBacklog() && !sending.isAsleep();
    machine.interests(interests, armed);
    resting = armed && nowNs - usedNs >= LEFT_NS && machine.rest();
    if (!resting) {
      machine.attend();
    }
    return armed ? next : Math.min(next, nowNs + LOOK_NS);
  }

  /** At rest, the descriptors are those of one path, until its end changes the view. */
  @Override
  public long settled() {
    return resting && machine.hasOnePort() ? machine.view() + 1 : 0;
  }

  @Override
  public long view() {
    return machine.view();
  }

  @Override
  public void close() {
    receiving.close();
    sending.close();
  }
}
