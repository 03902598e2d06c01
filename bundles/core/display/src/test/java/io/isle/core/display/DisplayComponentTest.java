package io.isle.core.display;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.MemoryPins;
import io.isle.api.base.Errno;
import io.isle.api.device.DeviceTree;
import io.isle.api.device.PixelFormat;
import io.isle.api.device.RecoveryCause;
import io.isle.api.display.Display;
import io.isle.api.display.Framebuffer;
import io.isle.api.driver.DeviceSession;
import io.isle.api.driver.DeviceSessions;
import io.isle.api.driver.RecoveryParticipant.Recovering;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.Permission;
import io.isle.core.testing.FakeCapabilities;
import io.isle.core.testing.FakeDeviceTree;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceReference;

/** The bundle's life: what it is told, and what it keeps while it is stopped. */
class DisplayComponentTest {
  @TempDir Path folder;

  private final FakeCapabilities rights = new FakeCapabilities();
  private final Capability all = rights.grant("test", Permission.values());
  private final Map<String, Long> services = new HashMap<>();
  private final FakeScreen screen = new FakeScreen();
  private FakeSession session = new FakeSession("sim0", 3, screen);
  private final FakeMemory memory =
      new FakeMemory("sim0", () -> session.epoch(), () -> session.isWithin());
  private String run = "0b7d5b4e-30b7-4b1f-9f5e-5d4ba10af0a5";
  private DisplayComponent component;

  /** Null while there is none. */
  private FakeDeviceTree tree;

  private Framebuffer frame;

  @BeforeEach
  void show() {
    services.put(MemoryPins.class.getName(), 11L);
    services.put(DeviceSessions.class.getName(), 12L);
    services.put(DeviceTree.class.getName(), 13L);
    start();
    open(session);
    Display display = component.of("sim0", all);
    display.setMode(1, FakeScreen.MODE);
    frame = display.framebuffer(memory.allocate("test", 48), 4, 3, PixelFormat.XRGB8888);
    assertEquals(1, display.flip(1, frame));
    screen.asked.clear();
  }

  private void start() {
    component = new DisplayComponent(context(), rights);
    component.bindPins(
        memory, Map.of(Constants.SERVICE_ID, services.get(MemoryPins.class.getName())));
    component.tree = tree;
    component.restore();
  }

  private void restart() {
    component.deactivate();
    component.unbindPins(memory);
    start();
  }

  private Path file() {
    return folder.resolve("screens");
  }

  private BundleContext context() {
    return (BundleContext)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {BundleContext.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "getDataFile" -> folder.resolve((String) arguments[0]).toFile();
                  case "getProperty" -> run;
                  case "getServiceReference" -> service(((Class<?>) arguments[0]).getName());
                  default -> throw new UnsupportedOperationException(method.toString());
                });
  }

  private ServiceReference<?> service(String name) {
    Long number = services.get(name);
    return number == null
        ? null
        : (ServiceReference<?>)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {ServiceReference.class},
                (proxy, method, arguments) -> number);
  }

  private static Recovering recovering(DeviceSession session) {
    return new Recovering(
        session.id(),
        session.group(),
        new RecoveryCause(RecoveryCause.Kind.CRASH, "test"),
        session.epoch(),
        false);
  }

  private void open(DeviceSession opened) {
    Recovering device = recovering(opened);
    component.reset(device);
    component.open(device, opened);
    component.rebuild(device, opened);
    component.thaw(device, opened);
  }

  private void crash() {
    Recovering device = recovering(session);
    session.end(Errno.EINTR);
    component.freeze(device);
    component.fail(device);
    component.revoke(device);
  }

  @Test
  void aRestartLeavesTheDeviceAloneAndACrashBringsItsScreensBack() {
    restart();
    open(session);
    component.opened(session);
    assertEquals(List.of(), screen.asked);
    screen.frame();
    assertEquals(2, component.of("sim0", all).flip(1, frame));
    crash();
    Fixture.code(Errno.EINTR, () -> component.of("sim0", all));
    session = new FakeSession("sim0", 4, new FakeScreen());
    open(session);
    assertEquals(List.of("framebuffer", "mode 4x3@60.000", "flip"), session.screen.asked);
    assertEquals(1, component.displays().size());
    assertEquals(2, component.modes("sim0", 1).size());
  }

  @Test
  void theFileIsReadOnce() {
    component.deactivate();
    assertTrue(Files.exists(file()));
    start();
    assertFalse(Files.exists(file()));
  }

  @Test
  void anotherRunOfThePlatformBeginsWithNothing() {
    component.deactivate();
    run = "6f54a78e-6b91-4b5e-8f52-0f8f1f0a7e11";
    start();
    session = new FakeSession("sim0", 4, new FakeScreen());
    open(session);
    assertEquals(List.of(), session.screen.asked);
  }

  @ParameterizedTest
  @ValueSource(strings = {"MemoryPins", "DeviceSessions", "DeviceTree"})
  void whoeverRestartedMeanwhileHasOtherNumbers(String what) {
    component.deactivate();
    services.replaceAll((name, number) -> name.endsWith(what) ? number + 20 : number);
    start();
    FakeScreen next = new FakeScreen();
    session = new FakeSession("sim0", 3, next);
    open(session);
    boolean sameMemory = !what.equals("MemoryPins");
    assertEquals(
        sameMemory ? List.of("framebuffer", "mode 4x3@60.000", "flip") : List.of(), next.asked);
    Display display = component.of("sim0", all);
    next.frame();
    if (sameMemory) {
      assertEquals(2, display.flip(1, frame));
    } else {
      Fixture.code(Errno.ESTALE, () -> display.flip(1, frame));
    }
  }

  @Test
  void aNeighbourThatIsAwayIsNotTheOneThatWasThere() {
    services.remove(DeviceSessions.class.getName());
    restart();
    session = new FakeSession("sim0", 3, new FakeScreen());
    open(session);
    assertEquals(3, session.screen.asked.size());
  }

  @Test
  void whatCannotBeReadIsLeftOutAndItsIdsAreNotGivenOutAgain() throws IOException {
    component.deactivate();
    byte[] bytes = Files.readAllBytes(file());
    bytes[40] ^= 1;
    Files.write(file(), java.util.Arrays.copyOf(bytes, bytes.length - 1));
    start();
    open(session);
    Display display = component.of("sim0", all);
    Fixture.code(Errno.ESTALE, () -> display.flip(1, frame));
    Framebuffer next = display.framebuffer(memory.allocate("test", 48), 4, 3, PixelFormat.XRGB8888);
    assertNotEquals(frame.id(), next.id());
  }

  @Test
  void aFileThatCannotBeWrittenCostsOnlyWhatItWouldHaveKept() throws IOException {
    Files.createDirectories(file().resolve("in-the-way"));
    component.deactivate();
    start();
    open(session);
    assertEquals(FakeScreen.MODE, component.of("sim0", all).status(1).mode().orElseThrow());
  }

  @Test
  void processesOfGroupsHaveNoScreens() {
    FakeSession group = new FakeSession("sim0", 3, new FakeScreen(), Optional.of("blue"));
    component.freeze(recovering(group));
    open(group);
    component.takenBack(recovering(group));
    component.opened(group);
    assertEquals(List.of(), group.screen.asked);
    screen.frame();
    assertEquals(2, component.of("sim0", all).flip(1, frame));
  }

  @Test
  void anAttemptThatIsTakenBackHasNothing() {
    crash();
    session = new FakeSession("sim0", 4, new FakeScreen());
    component.rebuild(recovering(session), session);
    component.takenBack(recovering(session));
    session.end(Errno.ENODEV);
    FakeSession failed = session;
    session = new FakeSession("sim0", 5, new FakeScreen());
    component.replaced(failed, session);
    assertEquals(3, session.screen.asked.size());
    screen.frame();
    component.closed(session);
    assertTrue(component.of("sim0", all).connectors().getFirst().active());
  }

  @Test
  void aDeviceThatWentWhileTheBundleWasStoppedIsForgotten() {
    tree = new FakeDeviceTree();
    restart();
    session = new FakeSession("sim0", 4, new FakeScreen());
    open(session);
    assertEquals(List.of(), session.screen.asked, "one of that name is another");
  }

  @Test
  void aTreeThatRestartedMayNotKnowOfADeviceYet() {
    tree = new FakeDeviceTree();
    component.deactivate();
    component.unbindPins(memory);
    services.put(DeviceTree.class.getName(), 23L);
    start();
    session = new FakeSession("sim0", 4, new FakeScreen());
    open(session);
    assertEquals(List.of("framebuffer", "mode 4x3@60.000", "flip"), session.screen.asked);
  }
}
