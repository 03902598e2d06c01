package io.isle.core.display;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.api.device.DpmsState;
import io.isle.api.device.PixelFormat;
import io.isle.api.display.Display;
import io.isle.api.display.DisplayAdmin;
import io.isle.api.display.Framebuffer;
import io.isle.api.display.Picture;
import io.isle.api.observe.AuditEvent;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.Permission;
import io.isle.api.tenancy.TenancyException;
import io.isle.core.display.state.Frame;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Screens as tenants use them; see {@link DisplayRecoveryTest} for what outlives a driver. */
@Timeout(60)
class DisplayTest {
  private final Fixture fixture = new Fixture();
  private final FakeScreen screen = fixture.screen();
  private final Display display = fixture.display();

  private Framebuffer framebuffer() {
    return fixture.framebuffer(display);
  }

  private static void code(int code, Runnable call) {
    Fixture.code(code, call);
  }

  @Test
  void aFlipIsAPointThatTheNextFrameReaches() throws Exception {
    display.setMode(1, FakeScreen.MODE);
    Framebuffer frame = framebuffer();
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
    Framebuffer frame = framebuffer();
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
    fixture.lose();
    assertEquals(-Errno.ENODEV, display.awaitHotplug(1, seen + 1, -1));
  }

  @Test
  void everyCallNeedsThePermissionAtThatTime() {
    Capability blind =
        fixture.rights.grant("test", Permission.ACCEL_COMPUTE, Permission.ACCEL_POWER);
    assertThrows(TenancyException.class, () -> fixture.core.of("sim0", blind));
    Framebuffer frame = framebuffer();
    fixture.rights.revoke(fixture.all);
    fixture.events.clear();
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
        fixture.events.stream().map(AuditEvent::action).toList());
    assertTrue(fixture.events.stream().allMatch(event -> event.code() == Errno.EREVOKED));
  }

  @Test
  void whatChangesAScreenIsWrittenDownAndFlipsAreNot() {
    display.setMode(1, FakeScreen.MODE);
    Framebuffer frame = framebuffer();
    fixture.events.clear();
    display.setDpms(1, DpmsState.ON);
    long ignored = display.flip(1, frame);
    display.setCursor(1, 1, 1, 0, 0, new int[1]);
    Picture picture = display.capture(1);
    assertEquals(12, picture.width() * picture.height());
    assertEquals(
        List.of("display.set-dpms", "display.capture"),
        fixture.events.stream().map(AuditEvent::action).toList());
    assertEquals("connector 1: on", fixture.events.getFirst().detail());
    assertEquals(fixture.all.id(), fixture.events.getFirst().capability());
  }

  @Test
  void framebuffersAreOfTheTenantsOwnMemory() {
    FakeMemory.Piece buffer = fixture.memory.allocate("test", 48);
    code(Errno.EINVAL, () -> display.framebuffer(buffer, 0, 1, PixelFormat.RGB565));
    code(Errno.EINVAL, () -> display.framebuffer(buffer, 4, 4, PixelFormat.XRGB8888));
    code(Errno.EINVAL, () -> display.framebuffer(buffer, 16385, 1, PixelFormat.RGB565));
    assertEquals(6, display.framebuffer(buffer, 4, 6, PixelFormat.RGB565).height());
    Capability other = fixture.rights.grant("other", Permission.values());
    Display foreign = fixture.core.of("sim0", other);
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
    DisplayAdmin admin = fixture.core;
    assertEquals(1, admin.displays().size());
    assertEquals("sim0", admin.displays().getFirst().device());
    assertEquals(2, admin.modes("sim0", 1).size());
    code(Errno.ENODEV, () -> admin.modes("sim1", 1));
    fixture.crash();
    assertEquals(List.of(), admin.displays());
    fixture.recover(null);
    assertEquals(List.of(), admin.displays());
    code(Errno.ENOTSUP, () -> admin.modes("sim0", 1));
    code(Errno.ENOTSUP, () -> fixture.core.of("sim0", fixture.all));
    code(Errno.ENODEV, () -> fixture.core.of("sim1", fixture.all));
  }

  @Test
  void aFramebufferIsItsTenantsAlone() {
    Framebuffer frame = framebuffer();
    display.setMode(1, FakeScreen.MODE);
    Capability other = fixture.rights.grant("other", Permission.values());
    Display foreign = fixture.core.of("sim0", other);
    code(Errno.EACCES, () -> foreign.flip(1, frame));
    code(Errno.EACCES, () -> foreign.flip(1, forged(frame.id())));
    code(Errno.ESTALE, () -> display.flip(1, forged(frame.id() + 1)));
    code(Errno.EINVAL, () -> display.flip(1, forged(1)));
    code(Errno.EINVAL, () -> display.flip(1, null));
    assertEquals(1, display.flip(1, forged(frame.id())), "it is known by its id");
  }

  private static Framebuffer forged(long id) {
    return new Frame(id, "test", "test", 1, 1, 4, 3, PixelFormat.XRGB8888);
  }

  @Test
  void memoryIsHeldWhileAFramebufferIsMadeAndNoLonger() {
    screen.beforeFramebuffer = memory -> assertEquals(1, fixture.memory.pinned);
    Framebuffer ignored = framebuffer();
    assertEquals(List.of("framebuffer"), screen.asked);
    assertEquals(0, fixture.memory.pinned);
    FakeMemory.Piece small = fixture.memory.allocate("test", 1);
    code(Errno.EINVAL, () -> display.framebuffer(small, 4, 3, PixelFormat.XRGB8888));
    assertEquals(0, fixture.memory.pinned);
  }

  @Test
  void memoryThatCannotBeShownIsRefused() {
    fixture.memory.group = Optional.of("blue");
    code(Errno.ENOTSUP, this::framebuffer);
    fixture.memory.group = Optional.empty();
    fixture.memory.fleeting = true;
    code(Errno.EINTR, this::framebuffer);
    assertEquals(0, fixture.memory.pinned);
    fixture.memory.fleeting = false;
    fixture.memory.refusal = Errno.ENODEV;
    code(Errno.ENODEV, this::framebuffer);
    FakeMemory.Piece elsewhere = new FakeMemory("sim1", () -> 1, () -> false).allocate("test", 48);
    fixture.pins.bind(new FakeMemory("sim1", () -> 1, () -> false), 99);
    code(Errno.EINVAL, () -> display.framebuffer(elsewhere, 4, 3, PixelFormat.XRGB8888));
  }

  @Test
  void whileMemoryHasNoOwnerNothingIsShownAndAfterwardsNothingOfTheOld() {
    display.setMode(1, FakeScreen.MODE);
    Framebuffer frame = framebuffer();
    fixture.pins.unbind(fixture.memory);
    code(Errno.EINTR, this::framebuffer);
    code(Errno.EINTR, () -> display.flip(1, frame));
    fixture.pins.bind(fixture.memory, 99);
    code(Errno.ESTALE, () -> display.flip(1, frame));
    assertEquals(1, display.flip(1, framebuffer()));
  }

  @Test
  void framebuffersThatNobodyKnowsAreNoneOfATenants() {
    screen.left = 3;
    Framebuffer frame = framebuffer();
    assertEquals(3, Ids.index(frame.id()));
    assertEquals(Set.of(frame.id()), screen.framebuffers.keySet());
    screen.left = Integer.MAX_VALUE;
    code(Errno.EEXIST, this::framebuffer);
  }
}
