package io.isle.core.drivers.supervision;

import io.isle.api.base.MonotonicClock;
import io.isle.api.device.Recovery;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.DevicePort;
import io.isle.api.driver.DeviceRegistry.DeviceReport;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.DeviceSeed;
import io.isle.core.drivers.nativecode.FakeAttachment;
import io.isle.core.drivers.recovery.DriverTuning;
import io.isle.core.drivers.recovery.HostWatch;
import io.isle.core.drivers.recovery.Participants;
import io.isle.core.drivers.recovery.RecoveryBook;
import io.isle.core.drivers.recovery.RecoveryServices;
import io.isle.core.drivers.recovery.Supervision;
import io.isle.core.drivers.session.ServiceThreads;
import io.isle.core.drivers.session.SessionBoard;
import io.isle.core.drivers.threads.Background;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** What a supervisor works with, for tests: a port, and everything that was reported. */
public final class Rig implements AutoCloseable, DevicePort {
  public static final DriverTuning QUICK =
      new DriverTuning(
          false,
          Duration.ofMillis(200),
          Duration.ofMillis(300),
          Duration.ofSeconds(60),
          new Supervision.Limits(
              3, Duration.ofMillis(1), Duration.ofMillis(4), 3, Duration.ofHours(1)));

  final Background background = new Background();
  final ServiceThreads serviceThreads = new ServiceThreads();
  final Participants participants =
      new Participants(serviceThreads, () -> this.tuning.participant());
  final SessionBoard sessions = new SessionBoard(serviceThreads, () -> this.tuning.participant());
  final RecoveryBook book = new RecoveryBook();
  final PendingHandovers handovers = new PendingHandovers();
  public final List<String> calls = new ArrayList<>();
  final List<FakeAttachment> attachments = new ArrayList<>();
  final List<Recovery> ended = new CopyOnWriteArrayList<>();
  final HostWatch watch;

  /** What is made anew on each device. */
  volatile Consumer<AccelDevice> rebuilding = device -> {};

  /** What is made anew in the process of a group. */
  volatile Consumer<String> renewing = group -> {};

  /** Gets each call of an attachment, and fails the call by an exception. */
  public volatile Consumer<String> attachmentCalls = what -> {};

  DriverTuning tuning;
  private final List<DeviceReport> reports = new ArrayList<>();

  public Rig(DriverTuning tuning) {
    this.tuning = tuning;
    this.watch = new HostWatch(MonotonicClock.SYSTEM, () -> this.tuning.hang());
  }

  public SharedParts shared() {
    return new SharedParts(
        new RecoveryServices(participants, sessions, watch, background, () -> tuning),
        book,
        handovers,
        MonotonicClock.SYSTEM,
        ended::add);
  }

  DeviceSupervisor supervisor() {
    return new DeviceSupervisor("x0", this, 0, shared(), this::report);
  }

  public static DeviceSpec spec(int tier, Map<String, String> settings) {
    return new DeviceSpec("x0", new DeviceSeed("0", "", ""), tier, true, settings);
  }

  @Override
  public synchronized Attachment attach(String deviceId) {
    call("attach");
    FakeAttachment attachment =
        new RecordingAttachment(
            what -> {
              call(what);
              attachmentCalls.accept(what);
            });
    attachment.rebuilding = device -> rebuilding.accept(device);
    attachment.renewing = group -> renewing.accept(group);
    attachments.add(attachment);
    return attachment;
  }

  FakeAttachment attachment() {
    return attachments.getLast();
  }

  synchronized void call(String what) {
    calls.add(what);
  }

  public synchronized List<String> calls() {
    return List.copyOf(calls);
  }

  private synchronized void report(DeviceReport report) {
    reports.add(report);
    notifyAll();
  }

  synchronized List<DeviceReport> reports() {
    return List.copyOf(reports);
  }

  /** Waits for the newest report to be as wanted. */
  synchronized DeviceReport await(Predicate<DeviceReport> wanted) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (reports.isEmpty() || !wanted.test(reports.getLast())) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("still " + (reports.isEmpty() ? "nothing" : reports.getLast()));
      }
      wait(1000);
    }
    return reports.getLast();
  }

  @Override
  public void close() {
    background.close();
    serviceThreads.close();
  }
}
