package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.AccelAdmin.MemoryInfo;
import io.isle.api.accel.AccelException;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.DeviceQuery;
import io.isle.api.accel.Mapping;
import io.isle.api.base.Errno;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.DriverException;
import io.isle.api.observe.AuditEvent;
import io.isle.core.testing.RecordedAudit;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The copies that the core has of retained memory: whose room they take, and how much. */
@Timeout(60)
class RetainedMemoryTest {
  private static final long MIB = 1 << 20;
  private static final long HUGE = 1L << 56;

  private final Fixture fixture = new Fixture();
  private final List<AuditEvent> events = new CopyOnWriteArrayList<>();
  private final OwnedAttachment attachment = new OwnedAttachment(fixture.core.attach("roomy0"));
  private RoomyDevice device;

  RetainedMemoryTest() {
    fixture.audit = new RecordedAudit(events::add);
  }

  @AfterEach
  void close() {
    attachment.close();
    if (device != null) {
      device.close();
    }
    fixture.close();
  }

  private Context context(long deviceBytes) {
    online(deviceBytes);
    return fixture.view.find(DeviceQuery.id("roomy0")).open(fixture.all, ContextSpec.named("kept"));
  }

  private void online(long deviceBytes) {
    device = new RoomyDevice(attachment.completions(), deviceBytes);
    var ignored = attachment.rebuild(device, 1);
    attachment.thaw();
  }

  private void crash() {
    attachment.freeze(new RecoveryCause(RecoveryCause.Kind.CRASH, "test"));
    attachment.fail(false);
    device.close();
  }

  @Test
  void copiesTakeNoDirectMemoryAndSurviveACrash() {
    Context context = context(1024 * MIB);
    long before = Mappings.direct();
    Buffer buffer = context.allocate(512 * MIB, Buffer.RETAINED);
    long more = Mappings.direct() - before;
    assertTrue(more < MIB, "direct memory more: " + more);
    try (Mapping mapping = buffer.map()) {
      mapping.segment().set(ValueLayout.JAVA_LONG, 512 * MIB - 8, 42);
      mapping.flush(512 * MIB - 8, 8);
    }
    crash();
    online(1024 * MIB);
    try (Mapping mapping = buffer.map()) {
      assertEquals(42, mapping.segment().get(ValueLayout.JAVA_LONG, 512 * MIB - 8));
    }
  }

  @Test
  void savedContentsTakeNoDirectMemoryAndGoWhenTheyAreRestored() {
    Context context = context(1024 * MIB);
    Buffer buffer = context.allocate(256 * MIB, 0);
    try (Mapping mapping = buffer.map()) {
      mapping.segment().set(ValueLayout.JAVA_LONG, 0, 42);
    }
    long direct = Mappings.direct();
    long size = Mappings.size();
    attachment.save();
    long more = Mappings.direct() - direct;
    assertTrue(more < MIB, "direct memory more: " + more);
    assertTrue(Mappings.size() - size >= 256 * MIB, "saved elsewhere");
    attachment.freeze(new RecoveryCause(RecoveryCause.Kind.RELOAD, "test"));
    attachment.fail(true);
    RoomyDevice old = device;
    online(1024 * MIB);
    old.close();
    long now = Mappings.size() - size;
    assertTrue(now < 128 * MIB, "bytes more: " + now);
    try (Mapping mapping = buffer.map()) {
      assertEquals(42, mapping.segment().get(ValueLayout.JAVA_LONG, 0));
    }
  }

  @Test
  void aContextKeepsAtMostWhatTheDeviceHas() {
    Context context = context(MIB);
    Buffer first = context.allocate(600 << 10, Buffer.RETAINED);
    AccelException refused =
        assertThrows(
            AccelException.class, () -> context.allocate((424 << 10) + 1, Buffer.RETAINED));
    assertEquals(Errno.ENOMEM, refused.code());
    assertTrue(refused.getMessage().contains("exceed 1048576"), refused.getMessage());
    assertTrue(refused.getMessage().contains("614400"), refused.getMessage());
    assertEquals(
        List.of("context.open 0", "memory.allocate 0", "memory.allocate " + Errno.ENOMEM),
        events.stream().map(event -> event.action() + " " + event.code()).toList());
    context.allocate(424 << 10, Buffer.RETAINED).close();
    context.allocate(2 * MIB, 0).close();
    first.close();
    context.allocate(MIB, Buffer.RETAINED);
  }

  @Test
  void whatIsKeptIsShown() {
    Context context = context(MIB);
    context.allocate(5000, Buffer.RETAINED);
    context.allocate(6000, 0);
    assertEquals(
        List.of("5000 5000", "6000 0"),
        new AdminView(fixture.core)
            .memory().stream().map(m -> m.bytes() + " " + m.retainedBytes()).toList());
    context.close();
    assertEquals(List.<MemoryInfo>of(), new AdminView(fixture.core).memory());
  }

  /** The device is asked before there is a copy, and gets back what cannot be copied. */
  @Test
  @SuppressWarnings("restricted")
  void whatTheMachineCannotCopyIsENOMEMAndGivenBack() {
    Context context = context(HUGE);
    device.cpu = bytes -> MemorySegment.ofAddress(4096).reinterpret(bytes);
    AccelException refused =
        assertThrows(AccelException.class, () -> context.allocate(HUGE, Buffer.RETAINED));
    assertEquals(Errno.ENOMEM, refused.code());
    assertTrue(refused.getMessage().contains("copy of " + HUGE), refused.getMessage());
    assertEquals(1, device.freed.size());
    assertEquals(0, context.info().memoryBytes());
    AuditEvent last = events.getLast();
    assertEquals("memory.allocate " + Errno.ENOMEM, last.action() + " " + last.code());
    device.cpu =
        bytes -> {
          throw new DriverException(Errno.ENOSPC, "size: no room here");
        };
    refused = assertThrows(AccelException.class, () -> context.allocate(HUGE, Buffer.RETAINED));
    assertEquals(Errno.ENOSPC, refused.code(), "before anything was copied");
    assertEquals(1, device.freed.size());
  }

  @Test
  void aPlatformOutOfMemoryIsENOMEMToo() {
    Context context = context(MIB);
    device.cpu =
        bytes -> {
          throw new OutOfMemoryError("Cannot reserve 64 bytes of direct buffer memory");
        };
    AccelException refused =
        assertThrows(AccelException.class, () -> context.allocate(4096, Buffer.RETAINED));
    assertEquals(Errno.ENOMEM, refused.code(), refused.getMessage());
    assertEquals(Errno.ENOMEM, events.getLast().code());
    device.cpu = bytes -> MemorySegment.ofArray(new byte[(int) bytes]);
    assertEquals(4096, context.allocate(4096, 0).size());
  }
}
