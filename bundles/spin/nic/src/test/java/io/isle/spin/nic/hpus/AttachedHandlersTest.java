package io.isle.spin.nic.hpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import io.isle.api.spin.ContextSpec;
import io.isle.api.spin.HandlerImage;
import io.isle.api.spin.MemoryRegion;
import io.isle.api.spin.SpinException;
import io.isle.lib.kabi.SpinStructs;
import io.isle.spin.nic.core.HandlerKind;
import io.isle.spin.nic.plan.NicLimits;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class AttachedHandlersTest {
  private final SpinDevice device = new SpinDevice();

  private static HandlerImage image(String name) {
    byte[] elf = Arrays.copyOf(new byte[] {0x7f, 'E', 'L', 'F', 1}, 64);
    return new HandlerImage(name, elf, Optional.empty());
  }

  private AttachedHandlers open(ContextSpec spec) {
    return open(device, spec);
  }

  private static AttachedHandlers open(SpinDevice on, ContextSpec spec) {
    return AttachedHandlers.open(
        on.accelerator(),
        on.sessions(),
        null,
        new HandlersPlan(image("ping"), NicLimits.FPSPIN, spec));
  }

  private static ContextSpec spec() {
    return ContextSpec.of("ping", image("ping")).withInit(new byte[] {1, 2, 3});
  }

  private static byte first(AttachedHandlers handlers, MemoryRegion region) {
    return handlers.region(region).get(ValueLayout.JAVA_BYTE, 0);
  }

  @Test
  void memoryIsZerosBehindTheInitBytes() {
    try (AttachedHandlers handlers = open(spec().withScratchpad(4000).withHostPages(2))) {
      MemorySegment memory = handlers.region(MemoryRegion.HANDLER);
      assertEquals(256 << 10, memory.byteSize());
      assertEquals(2, memory.get(ValueLayout.JAVA_BYTE, 1));
      assertEquals(0, memory.get(ValueLayout.JAVA_BYTE, 3));
      assertEquals(2 * 4096, handlers.region(MemoryRegion.HOST).byteSize());
      assertEquals(32 * 4096, handlers.region(MemoryRegion.SCRATCHPAD).byteSize());
      assertEquals(2, handlers.handlers());
      assertTrue(device.allFlushed());
    }
    assertTrue(device.contexts.getFirst().closed);
  }

  @Test
  void aContextMayHaveNeitherHandlerMemoryNorHostPages() {
    ContextSpec spec = ContextSpec.of("ping", image("ping")).withHandlerMemory(0).withHostPages(0);
    try (AttachedHandlers handlers = open(spec)) {
      assertEquals(0, handlers.region(MemoryRegion.HANDLER).byteSize());
      assertEquals(0, handlers.region(MemoryRegion.HOST).byteSize());
      assertEquals(16, handlers.counters().size());
    }
    SpinException refusal =
        assertThrows(SpinException.class, () -> open(spec.withInit(new byte[1])));
    assertEquals("ping: init has 1 bytes; handler_memory is 0", refusal.getMessage());
  }

  @Test
  void aRefusalLeavesNothingAndHasTheDriversText() {
    device.refuse = "ping";
    IsleException refusal = assertThrows(IsleException.class, () -> open(spec()));
    assertEquals(Errno.EINVAL, refusal.code());
    assertEquals("ping: no handlers", refusal.getMessage());
    assertTrue(device.contexts.getFirst().closed);
    device.open = false;
    assertEquals(Errno.EINTR, assertThrows(IsleException.class, () -> open(spec())).code());
  }

  @Test
  void aRecoveryBringsTheFirstMemoryBack() {
    try (AttachedHandlers handlers = open(spec())) {
      SpinRings before = handlers.rings();
      assertEquals(0, before.post(0, HandlerKind.PACKET, 0, 0, 0, 60));
      handlers.region(MemoryRegion.HANDLER).set(ValueLayout.JAVA_BYTE, 0, (byte) 9);
      device.recover();
      handlers.rebuild(-1);
      assertNotSame(before, handlers.rings());
      assertEquals(0, handlers.rings().busy());
      assertEquals(1, first(handlers, MemoryRegion.HANDLER));
      assertEquals(1, device.attached.size());
      device.recover();
      device.contexts.getFirst().usable = -Errno.ENODEV;
      assertEquals(
          Errno.ENODEV, assertThrows(IsleException.class, () -> handlers.rebuild(-1)).code());
    }
  }

  @Test
  void otherHandlersFindTheMemoryOfTheOldOnes() {
    try (AttachedHandlers handlers = open(spec())) {
      handlers.region(MemoryRegion.HANDLER).set(ValueLayout.JAVA_BYTE, 0, (byte) 9);
      handlers.region(MemoryRegion.HOST).set(ValueLayout.JAVA_LONG, SpinStructs.PAGE, 1L);
      handlers.replace(image("pong"));
      assertEquals(9, first(handlers, MemoryRegion.HANDLER));
      assertEquals(
          0, handlers.region(MemoryRegion.HOST).get(ValueLayout.JAVA_LONG, SpinStructs.PAGE));
      assertEquals(List.of("pong"), List.copyOf(device.attachedNames.values()));
      assertEquals(Set.of("pong"), Set.copyOf(device.programs.values()));
      device.refuse = "bad";
      assertThrows(IsleException.class, () -> handlers.replace(image("bad")));
      assertEquals("pong", handlers.image().name());
      assertEquals(1, device.attached.size());
      assertEquals(Set.of("pong"), Set.copyOf(device.programs.values()));
    }
  }

  private static int refused(Executable work) {
    return assertThrows(IsleException.class, work).code();
  }

  @Test
  void aRecoveryInTheMiddleOfAnExchangeIsSeenAndBringsTheOldHandlersBack() {
    for (String step : List.of("load", "detach", "attach")) {
      SpinDevice fresh = new SpinDevice();
      try (AttachedHandlers handlers = open(fresh, spec())) {
        fresh.before(step, fresh::recoverAll);
        assertEquals(Errno.EINTR, refused(() -> handlers.replace(image("pong"))), step);
        assertTrue(handlers.interrupted(), step);
        assertEquals("ping", handlers.image().name());
        handlers.rebuild(0);
        assertFalse(handlers.interrupted());
        assertEquals(List.of("ping"), List.copyOf(fresh.attachedNames.values()), step);
        assertEquals(Set.of("ping"), Set.copyOf(fresh.programs.values()), step);
        JavaHpus hpus = fresh.attached.values().iterator().next();
        assertEquals(0, handlers.rings().post(0, HandlerKind.PACKET, 0, 0, 0, 60));
        assertTrue(hpus.has(0), step);
      }
    }
  }

  @Test
  void memoryThatGoesDuringARebuildIsARecovery() {
    try (AttachedHandlers handlers = open(spec())) {
      device.recover();
      device.before("attach", device::endMemory);
      assertEquals(Errno.EINTR, refused(() -> handlers.rebuild(0)));
    }
  }
}
