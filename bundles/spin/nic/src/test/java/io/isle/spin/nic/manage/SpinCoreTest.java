package io.isle.spin.nic.manage;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import io.isle.api.spin.ContextInfo;
import io.isle.api.spin.ContextSpec;
import io.isle.api.spin.ContextState;
import io.isle.api.spin.HandlerImage;
import io.isle.api.spin.HandlerSource;
import io.isle.api.spin.MemoryRegion;
import io.isle.api.spin.Rulesets;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.GroupTree;
import io.isle.core.testing.Until;
import io.isle.lib.kabi.SpinStructs;
import io.isle.spin.nic.engine.MemoryPort;
import io.isle.spin.nic.live.LiveContext;
import io.isle.spin.nic.live.LiveNic;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SpinCoreTest {
  private static final String ONES = "AND {0, 0xff000000, 0x01000000, 0x01000000}";

  private final SpinRig rig = new SpinRig();

  @AfterEach
  void close() {
    rig.close();
  }

  private static void holds(BooleanSupplier condition, String what) {
    assertTrue(Until.holds(condition), what);
  }

  private LiveNic nic() {
    rig.nic("nic0", "port", "test:a", "host", "test:b");
    holds(() -> rig.core.nic("nic0").isPresent(), "the interface");
    return rig.core.nic("nic0").orElseThrow();
  }

  private static ContextSpec spec(String name) {
    return ContextSpec.of(name, SpinRig.image("ping", Optional.empty()))
        .withRules(Rulesets.parse(ONES).all().getFirst());
  }

  private LiveContext attach(LiveNic nic, ContextSpec spec) {
    return rig.core.attach(nic, rig.tenant("a"), spec);
  }

  private void answered(MemoryPort port) {
    port.arriving.add(SpinRig.frame(1));
    holds(() -> port.left.poll() != null, "an answer");
  }

  private ContextInfo info(String name) {
    return rig.core.contexts().stream()
        .filter(one -> one.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static int refused(Runnable work) {
    return assertThrows(IsleException.class, work::run).code();
  }

  @Test
  void aTenantsHandlersAnswer() {
    LiveNic nic = nic();
    LiveContext context = attach(nic, spec("ping"));
    MemoryPort port = rig.port("a");
    answered(port);
    port.arriving.add(SpinRig.frame(2));
    MemoryPort host = rig.port("b");
    holds(() -> host.left.poll() != null, "what does not match goes to the host");
    ContextInfo info = context.info();
    assertEquals(1, info.stats().packets());
    assertEquals(60, info.stats().bytes());
    assertEquals(16, info.stats().counters().size());
    assertEquals(ContextState.ATTACHED, info.state());
    assertEquals(Rulesets.parse(ONES).text(), info.rules());
    byte[] bytes = {5, 6};
    context.write(MemoryRegion.HANDLER, 8, bytes);
    byte[] back = new byte[2];
    context.read(MemoryRegion.HANDLER, 8, back);
    assertArrayEquals(bytes, back);
    assertEquals(Errno.EINVAL, refused(() -> context.read(MemoryRegion.HOST, 65_535, back)));
    assertEquals(1, nic.info().unmatched());
    assertEquals(16, nic.hpus().size());
    assertEquals(List.of(), nic.queues());
    context.close();
    context.close();
    assertEquals(Errno.ECLOSED, refused(() -> context.read(MemoryRegion.HOST, 0, back)));
    assertEquals(Errno.ECLOSED, refused(() -> context.swap(SpinRig.image("x", Optional.empty()))));
    assertEquals(-1, context.info().slot());
    assertTrue(rig.device.contexts.getFirst().closed);
    boolean told = Until.holds(() -> rig.events.equals(List.of("ping attached", "ping detached")));
    assertTrue(told, () -> "" + rig.events);
  }

  @Test
  void slotsAndNamesAreUsedOnce() {
    LiveNic nic = nic();
    attach(nic, spec("one").withSlot(1));
    assertEquals(Errno.EBUSY, refused(() -> attach(nic, spec("two").withSlot(1))));
    assertEquals(Errno.EEXIST, refused(() -> attach(nic, spec("one"))));
    for (String name : List.of("two", "three", "four")) {
      attach(nic, spec(name));
    }
    assertEquals(Errno.ENOSPC, refused(() -> attach(nic, spec("five"))));
    assertEquals(4, rig.device.attached.size());
    ContextSpec unknown = ContextSpec.of("five", new HandlerSource.Installed("none"));
    assertEquals(Errno.ENOENT, refused(() -> attach(nic, unknown)));
  }

  @Test
  void aRecoveryBringsTheHandlersBack() {
    LiveNic nic = nic();
    LiveContext context = attach(nic, spec("ping"));
    MemoryPort port = rig.port("a");
    answered(port);
    context.write(MemoryRegion.HANDLER, 0, new byte[] {7});
    rig.device.interrupt();
    rig.core.freeze("spin0");
    assertEquals(ContextState.RECOVERING, context.state());
    assertEquals(Errno.EINTR, refused(() -> context.read(MemoryRegion.HANDLER, 0, new byte[1])));
    port.arriving.add(SpinRig.frame(1));
    holds(() -> context.info().stats().droppedRecovery() == 1, "a drop");
    rig.device.comeBack();
    holds(() -> context.state() == ContextState.ATTACHED, "the handlers again");
    byte[] first = new byte[1];
    context.read(MemoryRegion.HANDLER, 0, first);
    assertEquals(0, first[0]);
    answered(port);
  }

  @Test
  void aContextWithoutAProcessIsLostUntilItIsAttached() {
    LiveNic nic = nic();
    LiveContext context = attach(nic, spec("ping"));
    rig.device.interrupt();
    rig.device.contexts.getFirst().usable = -Errno.ENODEV;
    holds(() -> context.state() == ContextState.LOST, "lost");
    rig.core.attach("ping");
    assertEquals(ContextState.ATTACHED, context.state());
    answered(rig.port("a"));
    assertEquals(Errno.ENOENT, refused(() -> rig.core.attach("other")));
  }

  @Test
  void aContextWhoseMemoryGoesWithoutARecoveryIsLost() {
    LiveContext context = attach(nic(), spec("ping"));
    rig.device.endMemory();
    rig.device.contexts.getFirst().usable = -Errno.ECLOSED;
    rig.port("a").arriving.add(SpinRig.frame(1));
    holds(() -> context.state() == ContextState.LOST, "lost");
  }

  @Test
  void whatEndsAContextIsSaid() {
    LiveNic nic = nic();
    Capability capability = rig.tenant("a");
    LiveContext revoked = rig.core.attach(nic, capability, spec("revoked"));
    rig.capabilities.revoke(capability);
    holds(revoked::isOver, "revoked");
    assertEquals("its capability is revoked", revoked.reason());
    LiveContext broken = attach(nic, spec("broken"));
    rig.handler =
        (hpus, hpu, handler, packet) -> {
          hpus.breakSends(hpu);
          return 0;
        };
    rig.port("a").arriving.add(SpinRig.frame(1));
    rig.port("a").arriving.add(SpinRig.frame(1));
    holds(broken::isOver, "broken");
    assertTrue(broken.reason().contains("rules of their memory"), broken.reason());
  }

  @Test
  void aRunOfTrapsEndsAContext() {
    LiveContext context = attach(nic(), spec("ping"));
    rig.handler =
        (hpus, hpu, handler, packet) -> {
          hpus.stop();
          return SpinStructs.CAUSE_ACCESS;
        };
    rig.port("a").arriving.add(SpinRig.frame(1));
    holds(context::isOver, "traps");
    assertTrue(context.reason().startsWith("a run of traps"), context.reason());
    holds(() -> rig.events.contains("ping trap access"), "" + rig.events);
    assertEquals("access", context.trap().orElseThrow().cause());
  }

  @Test
  void aSwapLosesNoPacket() throws InterruptedException {
    LiveContext context = attach(nic(), spec("ping"));
    MemoryPort port = rig.port("a");
    AtomicInteger sent = new AtomicInteger();
    AtomicInteger most = new AtomicInteger(100);
    AtomicBoolean over = new AtomicBoolean();
    Thread sender =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!over.get()) {
                    byte[] frame = SpinRig.frame(1);
                    ByteBuffer.wrap(frame).putInt(8, sent.getAndIncrement());
                    port.arriving.add(frame);
                    while (!over.get() && sent.get() - port.left.size() > most.get()) {
                      Thread.onSpinWait();
                    }
                  }
                });
    // packets come while there are no handlers
    rig.device.attaching =
        () -> {
          int before = sent.get();
          most.set(200);
          holds(() -> sent.get() > before + 50 && port.arriving.isEmpty(), "packets are taken");
          most.set(100);
        };
    for (int i = 0; i < 5; i++) {
      int before = sent.get();
      holds(() -> sent.get() > before + 100, "frames");
      context.write(MemoryRegion.HANDLER, 0, new byte[] {(byte) i});
      context.swap(SpinRig.image("pong" + i, Optional.empty()));
    }
    rig.device.attaching = () -> {};
    over.set(true);
    sender.join();
    holds(() -> port.left.size() == sent.get(), "answers");
    BitSet numbers = new BitSet();
    port.left.forEach(frame -> numbers.set(ByteBuffer.wrap(frame).getInt(8)));
    assertEquals(sent.get(), numbers.cardinality());
    port.left.clear();
    assertEquals("pong4", context.info().handlers());
    byte[] first = new byte[1];
    context.read(MemoryRegion.HANDLER, 0, first);
    assertEquals(4, first[0]);
    rig.device.refuse = "bad";
    assertEquals(Errno.EINVAL, refused(() -> context.swap(SpinRig.image("bad", Optional.empty()))));
    answered(port);
  }

  @Test
  void configuredContextsFollowTheirSettings() {
    nic();
    rig.file("io.isle.spin-echo", "nic", "nic0", "handlers", "ping", "rules", ONES);
    holds(() -> info("echo").reason().contains("no installed bundle"), "the reason");
    rig.handlers.add(1, SpinRig.image("ping", Optional.empty()));
    rig.core.attach("echo");
    MemoryPort port = rig.port("a");
    answered(port);
    assertEquals("spin-echo", info("echo").group());
    assertEquals(Errno.EEXIST, refused(() -> rig.core.attach("echo")));
    LiveContext context = rig.core.find("echo").orElseThrow();
    rig.file(
        "io.isle.spin-echo",
        "nic",
        "nic0",
        "handlers",
        "ping",
        "rules",
        "AND {0, 0xff000000, 0x05000000, 0x05000000}");
    holds(() -> info("echo").rules().contains("0x5000000"), "other rules");
    assertEquals(context, rig.core.find("echo").orElseThrow());
    rig.file("io.isle.spin-echo", "nic", "nic0", "handlers", "ping", "slot", "7");
    rig.file("io.isle.nic-nic0", "port", "nowhere");
    rig.file("io.isle.spin-echo", "nic", "nic0", "handlers", "ping", "slot", "2");
    holds(() -> info("echo").slot() == 2, "another slot");
    rig.core.detach("echo");
    assertEquals(ContextState.DETACHED, info("echo").state());
    rig.core.attach("echo");
    rig.files.delete("io.isle.spin-echo");
    rig.core.filesChanged();
    holds(() -> rig.core.contexts().isEmpty(), "gone");
    assertTrue(rig.device.attached.isEmpty());
  }

  @Test
  void anInterfaceThatEndsEndsItsContextsAndTheNextHasTheConfiguredOnes() {
    LiveContext tenants = attach(nic(), spec("ping"));
    rig.handlers.add(1, SpinRig.image("ping", Optional.empty()));
    rig.file("io.isle.spin-echo", "nic", "nic0", "handlers", "ping");
    holds(() -> info("echo").state() == ContextState.ATTACHED, "attached");
    rig.files.delete("io.isle.nic-nic0");
    rig.core.filesChanged();
    holds(() -> info("echo").state() == ContextState.DETACHED, "detached");
    assertTrue(tenants.isOver());
    rig.ports.clear();
    nic();
    holds(() -> info("echo").state() == ContextState.ATTACHED, "attached again");
  }

  @Test
  void installedHandlersAreReplacedAtWork() {
    nic();
    rig.handlers.add(1, SpinRig.image("ping", Optional.empty()));
    rig.file("io.isle.spin-echo", "nic", "nic0", "handlers", "ping", "rules", ONES);
    holds(() -> info("echo").state() == ContextState.ATTACHED, "attached");
    answered(rig.port("a"));
    LiveContext context = rig.core.find("echo").orElseThrow();
    HandlerImage before = context.image();
    rig.handlers.remove(1);
    rig.handlers.add(1, SpinRig.image("ping", Optional.empty()));
    rig.core.updates().came("ping");
    holds(() -> context.image() != before, "other handlers");
    answered(rig.port("a"));
  }

  @Test
  void aFailedPortIsToldAndOpenedAgain() {
    LiveNic nic = nic();
    attach(nic, spec("ping"));
    MemoryPort first = rig.port("a");
    rig.portFailure = "no such interface";
    first.failure = "the interface is gone";
    holds(() -> nic.info().error().equals("no such interface"), "the newest failure");
    assertEquals("down", nic.info().state());
    assertTrue(first.closed);
    rig.ports.clear();
    rig.portFailure = "";
    holds(() -> nic.info().state().equals("up"), "up");
    answered(rig.port("a"));
    rig.nic("nic0", "port", "none:a");
    holds(() -> nic.info().error().equals("no bundle opens ports of none"), "the scheme");
  }

  @Test
  void groupsHaveSharesAndCounters() {
    LiveNic nic = nic();
    attach(nic, spec("ping"));
    answered(rig.port("a"));
    holds(() -> rig.core.count("a").packets() == 1, "counted");
    assertEquals(0, rig.core.count("b").packets());
    rig.groups.evict("a");
    rig.core.evict("a");
    assertTrue(nic.contexts().isEmpty());
    assertEquals(Errno.EBUSY, refused(() -> attach(nic, spec("again"))));
    rig.groups.apply(GroupTree.EMPTY);
    assertEquals(
        List.of("packets", "bytes", "messages", "drops", "traps", "hpu_us"),
        new ArrayList<>(rig.groups.stat("default", rig.core::count).keySet()));
    assertEquals(1, rig.groups.stat("default", rig.core::count).get("packets"));
    assertTrue(rig.groups.stat("a", rig.core::count).isEmpty());
    assertFalse(attach(nic, spec("again")).isOver());
  }
}
