package io.isle.fabric.ring.isle;

import io.isle.api.fabric.HopTimes;
import io.isle.api.fabric.LinkInfo;
import io.isle.api.fabric.RingLoss;
import io.isle.api.fabric.RingPort;
import io.isle.api.fabric.RingTransport;
import io.isle.fabric.ring.link.Caller;
import io.isle.fabric.ring.link.Link;
import io.isle.fabric.ring.link.LinkMeter;
import io.isle.fabric.ring.link.LinkSpec;
import io.isle.fabric.ring.link.LinkWatch;
import io.isle.lib.ffi.MappedArena;
import io.isle.lib.leap.Control;
import io.isle.lib.leap.isle.Goodbye;
import io.isle.lib.leap.isle.IsleFrame;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;

/** A link of dialect isle, which lives as long as its node. */
public final class IsleLink implements Link {
  private final MappedArena arena = new MappedArena();
  private final LinkMeter meter = new LinkMeter();
  private final IsleSpec isle;
  private final IsleMachine machine;
  private final LanePorts ports;
  private final IsleDrive drive;
  private final IsleCalls calls;
  private final LinkWatch watch;
  private volatile LinkSpec spec;

  /**
   * A link without a port.
   *
   * @param wakeAgent wakes the thread that drives without data calls
   */
  public IsleLink(LinkSpec spec, IsleSpec isle, LinkEvents events, Runnable wakeAgent) {
    this.spec = spec;
    this.isle = isle;
    machine = new IsleMachine(isle, session(), arena, meter, events);
    ports = new LanePorts(machine, meter, isle.connects());
    drive = new IsleDrive(machine, ports, spec.spinNs(), wakeAgent);
    calls = new IsleCalls(isle, machine, drive);
    watch = new LinkWatch(drive);
    drive.onNews(watch::renew);
    spec.paths().forEach(ports::add);
  }

  private static long session() {
    long drawn;
    do {
      drawn = ThreadLocalRandom.current().nextLong();
    } while (drawn == 0);
    return drawn;
  }

  @Override
  public LinkSpec spec() {
    return spec;
  }

  @Override
  public long receive(MemorySegment into, long offset, long timeoutNs, Caller caller) {
    return calls.receive(into, offset, timeoutNs, caller);
  }

  @Override
  public long leftNs(long timeoutNs) {
    return drive.receiving().leftNs(timeoutNs);
  }

  @Override
  public boolean mayBeControl() {
    return calls.mayBeControl();
  }

  @Override
  public long number() {
    return calls.number();
  }

  @Override
  public long send(
      MemorySegment head,
      long headLength,
      MemorySegment data,
      long offset,
      long length,
      long timeoutNs,
      Caller caller) {
    return calls.send(IsleFrame.DATA, head, headLength, data, offset, length, timeoutNs, caller);
  }

  @Override
  public long sendControl(MemorySegment packet, long timeoutNs, Caller caller) {
    return calls.sendControl(packet, timeoutNs, caller);
  }

  @Override
  public MemorySegment claim() {
    return calls.claim();
  }

  @Override
  public long commit(MemorySegment packet, long timeoutNs, Caller caller) {
    return calls.commit(packet, timeoutNs, caller);
  }

  @Override
  public void abandon() {
    calls.abandon();
  }

  @Override
  public void revoke() {
    calls.revoke();
  }

  @Override
  public long take(Wanted wanted) {
    return calls.take(wanted);
  }

  @Override
  public void attach(String transport, RingTransport service) {
    locked(now -> ports.attach(transport, service, now));
  }

  @Override
  public void change(LinkSpec to, Function<String, RingTransport> transports) {
    spec = to;
    locked(now -> ports.change(to.paths(), transports, now));
  }

  @Override
  public void retry(Function<String, RingTransport> transports) {
    if (!ports.failedSwitch().isEmpty()) {
      change(spec, transports);
    }
  }

  @Override
  public void detach(String transport) {
    locked(now -> ports.detach(transport, now));
  }

  @Override
  public void dropParked(String transport) {
    locked(now -> ports.dropParked(transport, now));
  }

  /** Whether a path to the neighbour is up. Thread-safe. */
  public boolean isUp() {
    return machine.isUp();
  }

  /** Posts a notice or a roll call to the neighbour; dropped without a path. Thread-safe. */
  public void post(int kind, byte[] payload) {
    locked(now -> machine.post(kind, payload, now));
  }

  /**
   * Puts a control message behind the packets that are sent already. Never waits. Thread-safe.
   *
   * @param packet of the size of the ring's packets
   * @return false while the window is full
   */
  public boolean offerControl(MemorySegment packet) {
    boolean[] taken = new boolean[1];
    locked(
        now -> {
          long length = Control.MESSAGE_BYTES;
          long from = Control.MARKER_BYTES;
          taken[0] = machine.send(IsleFrame.CONTROL, packet, 0, packet, from, length, now) == 0;
        });
    return taken[0];
  }

  @FunctionalInterface
  private interface Work {
    void run(long nowNs);
  }

  private void locked(Work work) {
    drive.lock().enter();
    try {
      work.run(System.nanoTime());
    } finally {
      drive.due();
      drive.lock().leave();
      wake();
    }
  }

  @Override
  public void wake() {
    drive.receiving().wake();
    drive.sending().wake();
  }

  @Override
  public LinkWatch watch() {
    return watch;
  }

  @Override
  public Optional<RingLoss> lastLoss() {
    return machine.loss();
  }

  @Override
  public Optional<HopTimes> hop() {
    long p50 = machine.hop().percentile(50);
    return p50 == 0
        ? Optional.empty()
        : Optional.of(new HopTimes(p50, machine.hop().percentile(99)));
  }

  @Override
  public int failure() {
    RingPort port = ports.views().getLast().lane.port();
    return port == null ? 0 : port.failure();
  }

  @Override
  public long counted() {
    long sum = meter.sum();
    for (LanePorts.Entry entry : ports.views()) {
      RingPort port = entry.lane.port();
      sum += port == null ? 0 : port.foreign() + port.strays();
    }
    return sum;
  }

  @Override
  public LinkInfo info() {
    return IsleReport.of(spec, isle, machine, ports, meter);
  }

  /** Says goodbye and closes all ports. */
  @Override
  public void close() {
    locked(
        now -> {
          machine.revoke();
          machine.leave(Goodbye.Reason.LEAVING, now);
          ports.close(now);
        });
    drive.close();
    drive.lock().enter();
    try {
      arena.close();
    } finally {
      drive.lock().leave();
    }
  }
}
