package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.AccelAdmin;
import io.isle.api.accel.AccelException;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.Context;
import io.isle.api.accel.Display;
import io.isle.api.accel.Framebuffer;
import io.isle.api.accel.Picture;
import io.isle.api.base.Errno;
import io.isle.api.device.DpmsState;
import io.isle.api.device.PixelFormat;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import io.isle.api.observe.AuditFilter;
import io.isle.api.observe.AuditRecord;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.Permission;
import io.isle.api.tenancy.TenancyException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Screens as tenants use them; see {@link DisplayRecoveryTest} for what outlives a driver. */
@Timeout(60)
class DisplayTest {
  private final Bench bench = new Bench();
  private final List<AuditEvent> events = new ArrayList<>();
  private FakeScreen screen = new FakeScreen();
  private Display display;

  @BeforeEach
  void plugIn() {
    bench.crash();
    bench.recover(screen);
    display = bench.accelerator().display(bench.all);
    bench.audit = book();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private Audit book() {
    return new Audit() {
      @Override
      public void record(AuditEvent event) {
        events.add(event);
      }

      @Override
      public List<AuditRecord> tail(int limit, AuditFilter filter) {
        return List.of();
      }

      @Override
      public List<AuditRecord> awaitNext(AuditFilter filter) {
        return List.of();
      }
    };
  }

  private Framebuffer framebuffer(Context context) {
    return display.framebuffer(context.allocate(48, 0), 4, 3, PixelFormat.XRGB8888);
  }

  private static void code(int code, Runnable call) {
    AccelException thrown = assertThrows(AccelException.class, call::run);
    assertEquals(Errno.name(code), Errno.name(thrown.code()), thrown.getMessage());
  }

  @Test
  void aFlipIsAPointThatTheNextFrameReaches() throws Exception {
    display.setMode(1, FakeScreen.MODE);
    Framebuffer frame = framebuffer(bench.context());
    assertEquals(-Errno.EINVAL, display.await(1, 1, 0));
    assertEquals(1, display.flip(1, frame));
    assertEquals(-Errno.ETIME, display.await(1, 1, 0));
    assertEquals(0, display.status(1).point());
    code(Errno.EBUSY, () -> display.flip(1, frame));
    CompletableFuture<Integer> waiting =
        CompletableFuture.supplyAsync(() -> display.await(1, 1, -1));
    screen.frame();
    assertEquals(0, waiting.get(20, TimeUnit.SECONDS));
    assertEquals(2, display.flip(1, frame));
    assertEquals(0, display.await(1, 1, 0), "what was shown stays so");
    screen.frame();
    assertEquals(2, display.status(1).point());
    assertEquals(-Errno.EINVAL, display.await(1, 3, 0));
    assertEquals(-Errno.EINVAL, display.await(2, 1, 0));
  }

  @Test
  void aFlipThatIsTakenShowsTheOneBeforeIt() {
    display.setMode(1, FakeScreen.MODE);
    Framebuffer frame = framebuffer(bench.context());
    assertEquals(1, display.flip(1, frame));
    screen.frame();
    assertEquals(2, display.flip(1, frame));
    assertEquals(0, display.await(1, 1, 0), "nobody asked in between");
    assertEquals(-Errno.ETIME, display.await(1, 2, 0));
  }

  @Test
  void aSubscriberHearsOfScreensThatComeAndGo() throws Exception {
    int seen = display.status(1).hotplugs();
    assertEquals(-Errno.ETIME, display.awaitHotplug(1, seen, 0));
    assertEquals(-Errno.ENOENT, display.awaitHotplug(2, seen, -1));
    CompletableFuture<Integer> waiting =
        CompletableFuture.supplyAsync(() -> display.awaitHotplug(1, seen, -1));
    FakeScreen ignored = screen.plug();
    assertEquals(0, waiting.get(20, TimeUnit.SECONDS));
    assertEquals(0, display.awaitHotplug(1, seen, 0), "it is not missed by who asks later");
    Thread.currentThread().interrupt();
    assertEquals(-Errno.ECANCELED, display.awaitHotplug(1, seen + 1, -1));
    assertTrue(Thread.interrupted());
    bench.lose();
    assertEquals(-Errno.ENODEV, display.awaitHotplug(1, seen + 1, -1));
  }

  @Test
  void everyCallNeedsThePermissionAtThatTime() {
    Capability blind =
        bench.capabilities.grant(
            "test", Set.of(Permission.ACCEL_COMPUTE, Permission.ACCEL_POWER), 0);
    assertThrows(TenancyException.class, () -> bench.accelerator().display(blind));
    Framebuffer frame = framebuffer(bench.context());
    bench.capabilities.revoke(bench.all);
    events.clear();
    List<Runnable> calls =
        List.of(
            () -> display.setMode(1, FakeScreen.MODE),
            () -> display.setDpms(1, DpmsState.OFF),
            () -> display.setVariableRefresh(1, true),
            () -> display.flip(1, frame),
            () -> display.setCursor(1, 1, 1, 0, 0, new int[1]),
            () -> display.hideCursor(1),
            () -> display.capture(1),
            () -> display.connectors(),
            () -> display.modes(1),
            () -> display.edid(1),
            () -> display.status(1),
            () -> display.await(1, 1, 0),
            () -> display.awaitHotplug(1, 0, 0));
    for (Runnable call : calls) {
      TenancyException refused = assertThrows(TenancyException.class, call::run);
      assertEquals(Errno.EREVOKED, refused.code());
    }
    assertEquals(
        List.of(
            "display.set-mode",
            "display.set-dpms",
            "display.set-vrr",
            "display.flip",
            "display.cursor",
            "display.cursor",
            "display.capture"),
        events.stream().map(AuditEvent::action).toList());
    assertTrue(events.stream().allMatch(event -> event.code() == Errno.EREVOKED));
  }

  @Test
  void whatChangesAScreenIsWrittenDownAndFlipsAreNot() {
    display.setMode(1, FakeScreen.MODE);
    Framebuffer frame = framebuffer(bench.context());
    events.clear();
    display.setDpms(1, DpmsState.ON);
    long ignored = display.flip(1, frame);
    display.setCursor(1, 1, 1, 0, 0, new int[1]);
    Picture picture = display.capture(1);
    assertEquals(12, picture.width() * picture.height());
    assertEquals(
        List.of("display.set-dpms", "display.capture"),
        events.stream().map(AuditEvent::action).toList());
    assertEquals("connector 1: on", events.getFirst().detail());
    assertEquals(bench.all.id(), events.getFirst().capability());
  }

  @Test
  void framebuffersAreOfTheTenantsOwnMemory() {
    Context context = bench.context();
    Buffer buffer = context.allocate(48, 0);
    code(Errno.EINVAL, () -> display.framebuffer(buffer, 0, 1, PixelFormat.RGB565));
    code(Errno.EINVAL, () -> display.framebuffer(buffer, 4, 4, PixelFormat.XRGB8888));
    code(Errno.EINVAL, () -> display.framebuffer(buffer, 16385, 1, PixelFormat.RGB565));
    assertEquals(6, display.framebuffer(buffer, 4, 6, PixelFormat.RGB565).height());
    Capability other = bench.capabilities.grant("other", Set.of(Permission.values()), 0);
    Display foreign = bench.accelerator().display(other);
    code(Errno.EACCES, () -> foreign.framebuffer(buffer, 1, 1, PixelFormat.RGB565));
    Framebuffer frame = display.framebuffer(buffer, 4, 3, PixelFormat.XRGB8888);
    display.setMode(1, FakeScreen.MODE);
    buffer.close();
    code(Errno.ESTALE, () -> display.flip(1, frame));
    code(Errno.ECLOSED, () -> display.framebuffer(buffer, 1, 1, PixelFormat.RGB565));
  }

  @Test
  void aCursorHasLimits() {
    code(Errno.EINVAL, () -> display.setCursor(1, 65, 1, 0, 0, new int[65]));
    code(Errno.EINVAL, () -> display.setCursor(1, 2, 2, 0, 0, new int[3]));
    code(Errno.EINVAL, () -> display.setCursor(1, 1, 1, -1, 0, new int[1]));
    code(Errno.ENOTSUP, () -> display.hideCursor(1));
    code(Errno.ENOENT, () -> display.modes(2));
  }

  @Test
  void aPictureIsReadBetweenTwoFlips() {
    display.setMode(1, FakeScreen.MODE);
    Picture picture = display.capture(1);
    assertEquals(4, picture.width());
    for (int i = 0; i < 12; i++) {
      assertEquals(i, picture.rgb(i % 4, i / 4), "without the upper bits");
    }
    screen.linesAtOnce = 3;
    screen.restless = true;
    assertEquals(3, display.capture(1).height(), "read at once");
    screen.linesAtOnce = 1;
    code(Errno.EAGAIN, () -> display.capture(1));
  }

  @Test
  void anAdministratorSeesEveryConnector() {
    AdminView admin = new AdminView(bench.core);
    assertEquals(1, admin.displays().size());
    assertEquals("sim0", admin.displays().getFirst().device());
    assertEquals(2, admin.displayModes("sim0", 1).size());
    code(Errno.ENODEV, () -> admin.displayModes("sim1", 1));
    bench.crash();
    assertEquals(List.of(), admin.displays());
    bench.recover((FakeScreen) null);
    assertEquals(List.of(), admin.displays());
    code(Errno.ENOTSUP, () -> admin.displayModes("sim0", 1));
  }

  @Test
  void theServicePassesEveryCallOn() throws NoSuchMethodException {
    for (Method call : AccelAdmin.class.getMethods()) {
      Method passed = AccelComponent.class.getMethod(call.getName(), call.getParameterTypes());
      assertEquals(AccelComponent.class, passed.getDeclaringClass(), call.getName());
    }
  }
}
