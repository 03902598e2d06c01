package io.isle.core.display;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import io.isle.api.device.DeviceState;
import io.isle.api.device.PixelFormat;
import io.isle.api.display.Display;
import io.isle.api.display.Framebuffer;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import io.isle.api.observe.AuditTrail;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.Permission;
import io.isle.core.display.state.Lineage;
import io.isle.core.display.state.Snapshot;
import io.isle.core.testing.FakeCapabilities;
import io.isle.core.testing.FakeDeviceTree;
import io.isle.core.testing.RecordedAudit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The owner of displays with one device, {@code sim0}, and its memory. */
final class Fixture {
  static final Lineage RUN = new Lineage("run", 11, 12, 13);

  final FakeCapabilities rights = new FakeCapabilities();
  final FakeDeviceTree tree = new FakeDeviceTree();
  final List<AuditEvent> events = new ArrayList<>();
  final FakeMemory memory =
      new FakeMemory("sim0", () -> this.session.epoch(), () -> this.session.isWithin());
  final PinnedMemory pins = new PinnedMemory();
  final Capability all = rights.grant("test", Permission.values());
  DisplayCore core = fresh();
  FakeSession session;
  private int epoch;

  Fixture() {
    pins.bind(memory, RUN.memory());
    core.begin(0);
    recover(new FakeScreen());
    events.clear();
  }

  private DisplayCore fresh() {
    return new DisplayCore(
        rights, new AuditTrail(this::book, AccelException::new), pins, () -> tree);
  }

  private Audit book() {
    return new RecordedAudit(events::add);
  }

  FakeScreen screen() {
    return session.screen;
  }

  Display display() {
    return core.of("sim0", all);
  }

  Framebuffer framebuffer(Display display) {
    return display.framebuffer(memory.allocate("test", 48), 4, 3, PixelFormat.XRGB8888);
  }

  /** The device is taken from its driver. */
  void crash() {
    session.end(Errno.EINTR);
    tree.put("sim0", Optional.of(DeviceState.RECOVERING));
    core.end("sim0");
  }

  /** A next driver opens it, with this screen or none. */
  void recover(FakeScreen next) {
    session = new FakeSession("sim0", ++epoch, next);
    open();
  }

  private void open() {
    core.opening("sim0", setup -> setup.rebuild(session));
    core.opening("sim0", setup -> setup.use(session));
    tree.put("sim0", Optional.of(DeviceState.ACTIVE));
  }

  /** The device goes, and the contexts on it. */
  void lose() {
    session.end(Errno.ENODEV);
    core.end("sim0");
    memory.refusal = Errno.ENODEV;
    tree.put("sim0", Optional.of(DeviceState.FAILED));
  }

  /** Another owner of displays comes, and is told of the open device. */
  void restart() {
    restart(RUN);
    open();
  }

  /** The same, while others restarted too; it is told of nothing. */
  void restart(Lineage now) {
    Snapshot before = core.close(RUN);
    core = fresh();
    before.in(now).ifPresentOrElse(core::restore, () -> core.begin(1000));
  }

  static void code(int code, Runnable call) {
    AccelException thrown = assertThrows(AccelException.class, call::run);
    assertEquals(Errno.name(code), Errno.name(thrown.code()), thrown.getMessage());
  }
}
