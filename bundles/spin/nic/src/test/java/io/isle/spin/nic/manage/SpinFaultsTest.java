package io.isle.spin.nic.manage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import io.isle.api.spin.ContextInfo;
import io.isle.api.spin.ContextSpec;
import io.isle.api.spin.ContextState;
import io.isle.api.spin.Rulesets;
import io.isle.api.tenancy.Capability;
import io.isle.core.testing.Until;
import io.isle.spin.nic.engine.MemoryPort;
import io.isle.spin.nic.live.LiveContext;
import io.isle.spin.nic.live.LiveNic;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What goes wrong in one place leaves the others alone, and nothing open. */
class SpinFaultsTest {
  private static final String ONES = "AND {0, 0xff000000, 0x01000000, 0x01000000}";

  private final SpinRig rig = new SpinRig();

  @AfterEach
  void close() {
    rig.close();
  }

  private static void holds(BooleanSupplier condition, String what) {
    assertTrue(Until.holds(condition), what);
  }

  private LiveNic nic(String name, String port) {
    rig.nic(name, "port", port);
    holds(() -> rig.core.nic(name).isPresent(), "the interface");
    return rig.core.nic(name).orElseThrow();
  }

  private LiveContext attach(LiveNic nic, String name) {
    ContextSpec spec =
        ContextSpec.of(name, SpinRig.image("ping", Optional.empty()))
            .withRules(Rulesets.parse(ONES).all().getFirst());
    return rig.core.attach(nic, rig.tenant("a"), spec);
  }

  private void answered(String address) {
    MemoryPort port = rig.port(address);
    port.arriving.add(SpinRig.frame(1));
    holds(() -> port.left.poll() != null, "an answer");
  }

  private ContextInfo info(String name) {
    return rig.core.contexts().stream()
        .filter(one -> one.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private void echo(String... more) {
    String[] all = {"nic", "nic0", "handlers", "ping", "rules", ONES};
    String[] both = java.util.Arrays.copyOf(all, all.length + more.length);
    System.arraycopy(more, 0, both, all.length, more.length);
    rig.file("io.isle.spin-echo", both);
  }

  @Test
  void anInterfaceWhoseAgentEndsBeginsAnew() {
    nic("nic0", "test:a");
    rig.handlers.add(1, SpinRig.image("ping", Optional.empty()));
    echo();
    holds(() -> info("echo").state() == ContextState.ATTACHED, "attached");
    LiveNic broken = rig.core.nic("nic0").orElseThrow();
    LiveContext tenants = attach(broken, "mine");
    MemoryPort port = rig.port("a");
    rig.ports.clear();
    port.defect = true;
    holds(() -> !broken.failure().isEmpty(), "the end of the agent");
    assertEquals("down", broken.info().state());
    assertTrue(broken.info().error().contains("a defect of the port"), broken.info().error());
    holds(() -> rig.core.nic("nic0").filter(now -> now != broken).isPresent(), "another one");
    assertTrue(tenants.isOver());
    assertTrue(port.closed);
    holds(() -> info("echo").state() == ContextState.ATTACHED, "attached again");
    answered("a");
  }

  @Test
  void aFactoryThatFailsAsNoneMayIsToldAndTriedAgain() {
    rig.portDefect = true;
    LiveNic nic = nic("nic0", "test:a");
    holds(() -> nic.info().error().contains("a defect of the factory"), "the failure");
    nic("nic1", "other:a");
    rig.portDefect = false;
    holds(() -> nic.info().state().equals("up"), "up");
  }

  @Test
  void aDeviceThatFailsToCloseLeavesNothingElseOpen() {
    attach(nic("nic0", "test:a"), "one");
    attach(nic("nic1", "test:b"), "two");
    rig.device.failsToClose = true;
    rig.core.close();
    assertTrue(rig.port("a").closed);
    assertTrue(rig.port("b").closed);
    assertTrue(rig.device.contexts.stream().allMatch(one -> one.closed));
  }

  @Test
  void aContextThatNobodyWaitsForEnds() throws InterruptedException {
    LiveNic nic = nic("nic0", "test:a");
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    rig.device.before(
        "find",
        () -> {
          begun.countDown();
          await(go);
        });
    AtomicReference<IsleException> refusal = new AtomicReference<>();
    Thread thread =
        Thread.ofPlatform()
            .start(() -> refusal.set(assertThrows(IsleException.class, () -> attach(nic, "one"))));
    begun.await();
    thread.interrupt();
    thread.join();
    assertEquals(Errno.ECANCELED, refusal.get().code());
    go.countDown();
    holds(
        () -> rig.device.contexts.size() == 1 && rig.device.contexts.getFirst().closed, "its end");
    assertTrue(nic.contexts().isEmpty());
    attach(nic, "one");
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aConfiguredContextDoesNotTakeTheNameOfATenants() {
    LiveContext tenants = attach(nic("nic0", "test:a"), "echo");
    rig.handlers.add(1, SpinRig.image("ping", Optional.empty()));
    echo();
    holds(
        () -> rig.core.contexts().stream().anyMatch(one -> one.reason().contains("exists")),
        "refused");
    assertEquals(1, rig.core.nic("nic0").orElseThrow().contexts().size());
    tenants.close();
    holds(() -> info("echo").state() == ContextState.ATTACHED, "attached");
  }

  @Test
  void anAttachedContextIsNotAttachedAgain() {
    attach(nic("nic0", "test:a"), "mine");
    IsleException refusal = assertThrows(IsleException.class, () -> rig.core.attach("mine"));
    assertEquals(Errno.EEXIST, refusal.code());
  }

  @Test
  void aContextThatWaitsTakesAnotherGroupAndAnotherCapability() {
    nic("nic0", "test:a");
    echo("group", "one");
    holds(() -> info("echo").reason().contains("no installed bundle"), "waits");
    holds(() -> !rig.capabilities.list().isEmpty(), "a capability");
    echo("group", "two");
    holds(() -> info("echo").group().equals("two"), "other settings");
    holds(() -> groups().equals("two"), "a capability of the other group");
    rig.capabilities.list().forEach(rig.capabilities::revoke);
    rig.handlers.add(1, SpinRig.image("ping", Optional.empty()));
    holds(() -> info("echo").state() == ContextState.ATTACHED, "attached");
    assertEquals("two", groups());
    assertEquals("two", rig.core.find("echo").orElseThrow().capability().group());
    answered("a");
  }

  private String groups() {
    return String.join(
        " ", rig.capabilities.list().stream().map(Capability::group).sorted().toList());
  }
}
