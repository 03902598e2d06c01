package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.AccelAdmin;
import io.isle.api.accel.AccelException;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.MemoryObject;
import io.isle.api.accel.MemoryPins.Pin;
import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.Permission;
import io.isle.api.tenancy.TenancyException;
import io.isle.core.accel.context.PinTarget;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

/** Memory that is pinned: what keeps it, what it counts for, and what ends the pin. */
@Timeout(60)
class PinsTest {
  private static final long SIZE = 1000;

  private final Fixture fixture = new Fixture();
  private final PinView pins = new PinView(fixture.core);
  private final Context context = fixture.context();
  private final Buffer buffer = context.allocate(SIZE, 0);
  private final long id = buffer.id();

  @AfterEach
  void close() {
    fixture.close();
  }

  private static AccelException refused(int code, Executable call) {
    AccelException refused = assertThrows(AccelException.class, call);
    assertEquals(code, refused.code(), refused.getMessage());
    return refused;
  }

  private static void assertEnded(int code, String message, Pin pin) {
    assertFalse(pin.alive());
    List<Executable> all =
        List.of(pin::device, pin::group, pin::epoch, pin::memory, pin::size, pin::cpu);
    for (Executable one : all) {
      assertEquals(message, refused(code, one).getMessage());
    }
  }

  private String ended(int epoch, String why) {
    return String.format("sim0: the pin of memory %016x in epoch %d has ended: %s", id, epoch, why);
  }

  @Test
  void aPinSaysWhereTheMemoryLies() {
    Pin pin = pins.pin(fixture.all, buffer);
    assertTrue(pin.alive());
    assertEquals("sim0", pin.device());
    assertEquals(Optional.empty(), pin.group());
    assertEquals(1, pin.epoch());
    assertEquals(id, pin.memory());
    assertEquals(SIZE, pin.size());
    MemorySegment cpu = pin.cpu().orElseThrow();
    assertEquals(fixture.device.bytes(id).address(), cpu.address());
    assertEquals(SIZE, cpu.byteSize());
    pin.close();
    assertEnded(Errno.ECLOSED, ended(1, "the pin was closed"), pin);
    assertEquals(List.of(), fixture.device.freed, "its buffer is open");
  }

  @Test
  void pinnedMemoryIsFreedWithItsLastPinAndCountsUntilThen() {
    Context limited = fixture.context(ContextSpec.named("limited").withMaxMemoryBytes(SIZE));
    Buffer all = limited.allocate(SIZE, 0);
    MemoryObject memory = all.memory();
    Pin first = pins.pin(memory);
    Pin last = pins.pin(fixture.all, all);
    all.close();
    assertEquals(0, memory.references());
    assertEquals(SIZE, limited.info().memoryBytes());
    refused(Errno.ENOMEM, () -> limited.allocate(1, 0));
    assertTrue(
        new AdminView(fixture.core).memory().stream().anyMatch(m -> m.references() == 0), "shown");
    refused(Errno.ECLOSED, () -> pins.pin(memory));
    refused(Errno.ECLOSED, () -> pins.pin(fixture.all, all));
    refused(Errno.ECLOSED, () -> limited.attach(memory, Buffer.READ));
    first.close();
    first.close();
    assertTrue(last.alive());
    assertEquals(all.id(), last.memory());
    assertEquals(List.of(), fixture.device.freed);
    last.close();
    last.close();
    assertEquals(List.of(all.id()), fixture.device.freed);
    assertEquals(0, limited.info().memoryBytes());
    limited.allocate(SIZE, 0).close();
    refused(Errno.ECLOSED, () -> pins.pin(memory));
  }

  @Test
  void aPinOfAReplacedDeviceHasEndedAndTheMemoryCanBePinnedFromTheRebuildOn() {
    Pin before = pins.pin(buffer.memory());
    MemorySegment old = before.cpu().orElseThrow();
    fixture.crash();
    assertEnded(Errno.ESTALE, ended(1, "the device was closed or recovered"), before);
    AccelException recovers = refused(Errno.EINTR, () -> pins.pin(buffer.memory()));
    assertTrue(recovers.getMessage().contains("recovers"), recovers.getMessage());

    fixture.device = new ScriptedDevice(fixture.attachment.completions());
    var ignored = fixture.attachment.rebuild(fixture.device, 2);
    Pin now = pins.pin(buffer.memory());
    assertEquals(2, now.epoch());
    assertEquals(fixture.device.bytes(id).address(), now.cpu().orElseThrow().address());
    assertNotEquals(old.address(), now.cpu().orElseThrow().address());
    assertFalse(before.alive());
    fixture.attachment.thaw();
    assertTrue(now.alive());

    buffer.close();
    before.close();
    assertEquals(List.of(), fixture.device.freed, "held by the pin of this opening");
    now.close();
    assertEquals(List.of(id), fixture.device.freed);
  }

  @Test
  void anAttemptThatNobodyTakesEndsItsPins() {
    fixture.crash();
    var ignored =
        fixture.attachment.rebuild(new ScriptedDevice(fixture.attachment.completions()), 2);
    Pin attempt = pins.pin(buffer.memory());
    var once = fixture.attachment.rebuild(fixture.device, 3);
    assertEquals(1, once.contexts());
    assertEnded(Errno.ESTALE, ended(2, "the device was closed or recovered"), attempt);
    assertEquals(3, pins.pin(buffer.memory()).epoch());
  }

  @Test
  void whatOnlyAPinHeldGoesWithItsDevice() {
    Pin pin = pins.pin(buffer.memory());
    buffer.close();
    ScriptedDevice first = fixture.device;
    fixture.crash();
    assertEquals(0, context.info().memoryBytes());
    assertTrue(pins.find(id).isEmpty());
    var ignored = fixture.recover();
    assertEquals(Map.of(), fixture.device.memory, "it was not made anew");
    pin.close();
    assertEquals(List.of(), first.freed);
    assertEquals(List.of(), fixture.device.freed);
    assertEquals(0, context.info().memoryBytes());
  }

  @Test
  void aPinThatIsClosedWhileTheDeviceIsAwayFreesNothingOfTheNext() {
    Pin pin = pins.pin(buffer.memory());
    fixture.crash();
    buffer.close();
    pin.close();
    var ignored = fixture.recover();
    assertEquals(Map.of(), fixture.device.memory);
    assertEquals(List.of(), fixture.device.freed);
  }

  @Test
  void aPinEndsWithItsContext() {
    MemoryObject memory = buffer.memory();
    Pin pin = pins.pin(memory);
    context.close();
    assertEnded(Errno.ESTALE, ended(1, "context test is closed"), pin);
    assertEquals(Errno.ECLOSED, refused(Errno.ECLOSED, () -> pins.pin(memory)).code());
    assertTrue(pins.find(id).isEmpty());
    pin.close();
    assertEquals(List.of(), fixture.device.freed, "the driver frees it with the context");
  }

  @Test
  void aPinEndsWithALostContext() {
    Pin pin = pins.pin(buffer.memory());
    fixture.lose();
    assertEnded(Errno.ESTALE, ended(1, "context test was lost: test"), pin);
    refused(Errno.ENODEV, () -> pins.pin(buffer.memory()));
    pin.close();
  }

  @Test
  void anotherTenantAndARevokedCapabilityAreRefused() {
    Capability other = fixture.capabilities.grant("other", Set.of(Permission.values()), 0);
    AccelException refused = refused(Errno.EACCES, () -> pins.pin(other, buffer));
    assertEquals("buffer: the buffer belongs to another tenant", refused.getMessage());
    Capability screens = fixture.capabilities.grant("test", Set.of(Permission.ACCEL_DISPLAY), 0);
    pins.pin(screens, buffer).close();
    fixture.capabilities.revoke(screens);
    TenancyException revoked =
        assertThrows(TenancyException.class, () -> pins.pin(screens, buffer));
    assertEquals(Errno.EREVOKED, revoked.code());
    buffer.close();
    assertEquals(List.of(id), fixture.device.freed, "nothing was pinned");
  }

  @Test
  void whatIsNoMemoryOfTheNodeIsRefused() {
    MemoryObject foreign =
        new MemoryObject() {
          @Override
          public long size() {
            return 1;
          }

          @Override
          public Contents contents() {
            return Contents.VALID;
          }

          @Override
          public int references() {
            return 1;
          }
        };
    assertEquals(
        "memory: the object is not memory of this node",
        refused(Errno.EINVAL, () -> pins.pin(foreign)).getMessage());
    refused(Errno.EINVAL, () -> pins.pin(null));
    assertEquals(
        "buffer: the object is not a buffer of this node",
        refused(Errno.EINVAL, () -> pins.pin(fixture.all, null)).getMessage());
  }

  @Test
  void memoryIsFoundByItsIdWhileItIsThere() {
    assertSame(buffer.memory(), pins.find(id).orElseThrow());
    Pin pin = pins.pin(buffer.memory());
    buffer.close();
    assertTrue(pins.find(id).isPresent());
    pin.close();
    assertTrue(pins.find(id).isEmpty());
    assertTrue(pins.find(0).isEmpty());
    Buffer next = context.allocate(SIZE, 0);
    assertTrue(pins.find(id).isEmpty());
    assertSame(next.memory(), pins.find(next.id()).orElseThrow());
  }

  @Test
  void whatADriverSaysToTheFreeOfAPinIsLogged() {
    Pin pin = pins.pin(buffer.memory());
    buffer.close();
    fixture.device.thrownInFree = new DriverException(Errno.EIO, "it does not let go");
    try (LogCapture log = new LogCapture(PinTarget.class)) {
      pin.close();
      assertEquals(
          List.of("pinned memory could not be freed: sim0: free: it does not let go"), log.lines());
    }
    assertEquals(0, context.info().memoryBytes());
  }

  @Test
  void retainedMemoryKeepsItsCopyWhileItIsPinned() {
    Buffer kept = context.allocate(SIZE, Buffer.RETAINED);
    Pin pin = pins.pin(kept.memory());
    kept.close();
    assertEquals(List.of(0L, SIZE), retained());
    pin.close();
    assertEquals(List.of(0L), retained());
  }

  private List<Long> retained() {
    return new AdminView(fixture.core)
        .memory().stream().map(AccelAdmin.MemoryInfo::retainedBytes).toList();
  }

  /** Whatever the moment, a pin has the address of its own epoch, and nothing stays held. */
  @Test
  void noPinHasTheAddressOfAnotherOpening() throws Exception {
    Map<Integer, Long> addresses = new ConcurrentHashMap<>();
    addresses.put(1, fixture.device.bytes(id).address());
    AtomicBoolean over = new AtomicBoolean();
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      List<Future<List<String>>> all = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        all.add(threads.submit(() -> wrong(addresses, over)));
      }
      try {
        for (int epoch = 2; epoch < 300; epoch++) {
          fixture.crash();
          fixture.device = new ScriptedDevice(fixture.attachment.completions());
          var ignored = fixture.attachment.rebuild(fixture.device, epoch);
          addresses.put(epoch, fixture.device.bytes(id).address());
          fixture.attachment.thaw();
        }
      } finally {
        over.set(true);
      }
      for (Future<List<String>> one : all) {
        assertEquals(List.of(), one.get());
      }
    }
    buffer.close();
    assertEquals(List.of(id), fixture.device.freed);
    assertEquals(0, context.info().memoryBytes());
  }

  /** Pins until the end; what was not as it should be. */
  private List<String> wrong(Map<Integer, Long> addresses, AtomicBoolean over) {
    List<String> wrong = new ArrayList<>();
    while (!over.get()) {
      try (Pin pin = pins.pin(buffer.memory())) {
        int epoch = pin.epoch();
        long address = pin.cpu().orElseThrow().address();
        Long own = addresses.get(epoch);
        // the test learns of an address after the rebuild
        if (own != null && own != address) {
          wrong.add(epoch + ": " + address + " is not " + own);
        }
      } catch (AccelException e) {
        if (e.code() != Errno.EINTR && e.code() != Errno.ESTALE) {
          wrong.add(e.toString());
        }
      }
    }
    return wrong;
  }
}
