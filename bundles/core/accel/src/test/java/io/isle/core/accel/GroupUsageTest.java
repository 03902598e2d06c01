package io.isle.core.accel;

import static io.isle.core.accel.group.Trees.group;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.GroupUsage;
import io.isle.api.accel.Usage;
import io.isle.api.base.Errno;
import io.isle.api.driver.CompletionSink;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.CapabilitySpec;
import io.isle.api.tenancy.GroupSpec;
import io.isle.api.tenancy.Permission;
import io.isle.api.tenancy.TenancyException;
import io.isle.core.testing.Until;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who sees what of promises and use. */
@Timeout(60)
class GroupUsageTest {
  private static final ContextSpec SPEC = ContextSpec.named("mine");

  /** Of both compute units together; less than it takes to hand it over and back. */
  private static final long BUSY_NS = 800;

  private final GroupBench fixture = new GroupBench();

  @AfterEach
  void close() {
    fixture.close();
  }

  /** Runs one submission that takes half of {@link #BUSY_NS} of the whole device. */
  private void work(Context context) throws InterruptedException {
    long point = context.submit(context.writer());
    ScriptedDevice.Submission running = fixture.fixture.device.awaitRunning(1).getFirst();
    int ignored = fixture.fixture.device.complete(running, CompletionSink.SUCCESS, 0, BUSY_NS);
    assertEquals(0, context.await(point, -1));
  }

  @Test
  void aContextKnowsItsOwn() throws Exception {
    fixture.groups(group("a", "compute.guarantee", "sim0 400000"));
    Context context = fixture.open("a", SPEC.withGuarantee(50_000, 200_000));
    context.allocate(3000, 0).close();
    context.allocate(1000, 0);
    work(context);
    work(context);
    Usage usage = context.info().usage();
    assertEquals(25, usage.promisedPercent());
    assertEquals(BUSY_NS, usage.givenNs());
    assertEquals(2 * BUSY_NS, usage.busyNs());
    assertEquals(100.0 * BUSY_NS / usage.windowNs(), usage.givenPercent(), 1e-9);
    assertEquals(2, usage.submitted());
    assertEquals(0, usage.pending() + usage.inFlight());
    assertEquals(1000, usage.memoryBytes());
    assertEquals(3000, usage.memoryPeakBytes());
    assertEquals(context.info().busyNs(), usage.busyNs());
  }

  @Test
  void whatWaitsIsCountedAndTimed() throws Exception {
    fixture.groups(group("a"));
    fixture.fixture.device.room = 1;
    Context context = fixture.open("a", SPEC);
    context.submit(context.writer());
    ScriptedDevice.Submission first = fixture.fixture.device.awaitRunning(1).getFirst();
    long second = context.submit(context.writer());
    long third = context.submit(context.writer());
    assertTrue(Until.holds(() -> context.info().usage().inFlight() == 1));
    assertEquals(2, context.info().usage().pending());
    assertEquals(2, usage("a").pending());
    long began = System.nanoTime();
    fixture.fixture.device.room = 2;
    long now = System.nanoTime();
    int ignored = fixture.fixture.device.complete(first, CompletionSink.SUCCESS, 0, 1, now);
    for (ScriptedDevice.Submission next : fixture.fixture.device.awaitRunning(2)) {
      ignored = fixture.fixture.device.complete(next, CompletionSink.SUCCESS, 0, 1, now + 1000);
    }
    assertEquals(0, context.await(second, -1));
    assertEquals(0, context.await(third, -1));
    Usage usage = context.info().usage();
    assertTrue(usage.waitP50Ns() > 0 && usage.waitP50Ns() <= usage.waitP99Ns(), usage::toString);
    assertTrue(usage.waitP99Ns() < 2 * (System.nanoTime() - began) + 60_000_000_000L);
    context.close();
    assertEquals(usage.waitP99Ns(), usage("a").waitP99Ns());
    assertEquals(0, usage("a").pending());
  }

  @Test
  void whatNeverBeganHasNotWaited() throws Exception {
    Context context = fixture.open("default", SPEC);
    long began = context.submit(context.writer());
    ScriptedDevice.Submission first = fixture.fixture.device.awaitRunning(1).getFirst();
    int ignored =
        fixture.fixture.device.complete(
            first, CompletionSink.SUCCESS, 0, 1, System.nanoTime() + 60_000_000_000L);
    assertEquals(0, context.await(began, -1));
    long waitNs = context.info().usage().waitP50Ns();
    for (int i = 0; i < 3; i++) {
      long failed = context.submit(context.writer());
      ScriptedDevice.Submission next = fixture.fixture.device.awaitRunning(1).getFirst();
      ignored = fixture.fixture.device.complete(next, CompletionSink.ERROR, 0, 0, 0);
      assertTrue(context.await(failed, -1) < 0);
    }
    assertEquals(waitNs, context.info().usage().waitP50Ns());
  }

  private Usage usage(String name) {
    return rows().stream()
        .filter(row -> row.group().equals(name))
        .findFirst()
        .orElseThrow()
        .usage();
  }

  private List<GroupUsage> rows() {
    return new AdminView(fixture.fixture.core).groups();
  }

  /** However many groups there are, each context is counted once; so all rows are of one time. */
  @Test
  void aListingCountsEachContextOnce() {
    GroupSpec[] groups = new GroupSpec[100];
    for (int i = 0; i < groups.length; i++) {
      groups[i] = group("g" + i, "compute.guarantee", "sim0 1000");
    }
    fixture.groups(groups);
    AtomicInteger looks = new AtomicInteger();
    Capability of = fixture.of("g7");
    Capability counted =
        (Capability)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Capability.class},
                (self, method, args) -> {
                  if (method.getName().equals("group")) {
                    looks.incrementAndGet();
                  }
                  return method.invoke(of, args);
                });
    fixture.fixture.accelerator().open(counted, SPEC);
    looks.set(0);
    assertEquals(101, rows().size());
    assertTrue(looks.get() < 10, () -> "looked at " + looks + " times");
  }

  @Test
  void aManagerSeesAllOfEachGroupWithWhatIsBelowIt() throws Exception {
    fixture.groups(
        group("a", "compute.guarantee", "sim0 400000"),
        group("b", "parent", "a"),
        group("idle"),
        group("promised", "compute.guarantee", "sim0 100000"));
    Context inside = fixture.open("b", SPEC);
    inside.allocate(500, 0);
    work(inside);
    fixture.open("default", SPEC.withGuarantee(20_000, 100_000)).close();
    List<GroupUsage> rows = rows();
    assertEquals(
        List.of("default", "a", "b", "promised"), rows.stream().map(GroupUsage::group).toList());
    assertEquals(50, rows.get(0).usage().promisedPercent());
    assertEquals("", rows.get(0).promisedBy());
    assertEquals(1, rows.get(0).contexts());
    for (int i = 0; i < 3; i++) {
      assertEquals(BUSY_NS / 2, rows.get(i).usage().givenNs());
      assertEquals(500, rows.get(i).usage().memoryBytes());
    }
    assertEquals("a", rows.get(2).promisedBy());
    assertEquals(40, rows.get(2).usage().promisedPercent());
    assertEquals(0, rows.get(3).contexts());
  }

  @Test
  void aTenantSeesItsOwnGroupAndNoOther() throws Exception {
    fixture.groups(group("a", "compute.guarantee", "sim0 400000"), group("b"));
    Capability mine = fixture.of("a");
    work(fixture.fixture.accelerator().open(mine, SPEC));
    work(fixture.open("b", SPEC));
    List<GroupUsage> own = fixture.fixture.view.usage(mine, "a");
    assertEquals(1, own.size());
    assertEquals(BUSY_NS / 2, own.getFirst().usage().givenNs());
    assertEquals(own.getFirst().group(), fixture.fixture.accelerator().usage(mine).group());
    TenancyException other =
        assertThrows(TenancyException.class, () -> fixture.fixture.view.usage(mine, "b"));
    assertEquals(Errno.EACCES, other.code());
    assertEquals(
        "group: the capability belongs to group a; only managers may read the usage of other"
            + " groups",
        other.getMessage());
    fixture.fixture.capabilities.revoke(mine);
    assertEquals(
        Errno.EREVOKED,
        assertThrows(TenancyException.class, () -> fixture.fixture.view.usage(mine, "a")).code());
    assertEquals(
        Errno.EREVOKED,
        assertThrows(TenancyException.class, () -> fixture.fixture.accelerator().usage(mine))
            .code());
  }

  @Test
  void aTenantOfTheRootDoesNotSeeTheGroupsBelow() throws Exception {
    fixture.groups(group("a", "compute.guarantee", "sim0 400000"));
    Context other = fixture.open("a", SPEC);
    other.allocate(700, 0);
    work(other);
    Capability plain = fixture.of("default");
    Context own = fixture.fixture.accelerator().open(plain, SPEC);
    own.allocate(30, 0);
    GroupUsage row = fixture.fixture.accelerator().usage(plain);
    assertEquals(0, row.usage().givenNs());
    assertEquals(0, row.usage().promisedPercent());
    assertEquals(30, row.usage().memoryBytes());
    assertEquals(30, row.usage().memoryPeakBytes());
    assertEquals(1, row.contexts());
  }

  @Test
  void rowsAreThoseOfTheCapabilitysDevice() {
    Capability narrow =
        fixture.fixture.capabilities.issue(
            new CapabilitySpec("t", Set.of(Permission.ACCEL_COMPUTE), Optional.of("soft9"), 0));
    assertEquals(List.of(), fixture.fixture.view.usage(narrow, "default"));
  }
}
