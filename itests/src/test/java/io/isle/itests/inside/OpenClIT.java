package io.isle.itests.inside;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertTrue;

import io.isle.api.accel.Accelerators;
import io.isle.api.accel.DeviceQuery;
import io.isle.api.base.Errno;
import io.isle.api.device.DeviceAdmin;
import io.isle.api.device.DeviceHost;
import io.isle.api.device.DeviceNode;
import io.isle.api.device.DeviceState;
import io.isle.api.device.Isolation;
import io.isle.api.device.Recovery;
import io.isle.api.device.RecoveryCause;
import io.isle.api.device.RecoveryLog;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.CapabilitySpec;
import io.isle.api.tenancy.Permission;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import javax.inject.Inject;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.osgi.framework.BundleContext;

/** Inside the distribution: what kernels of one tenant do to the others of an OpenCL device. */
@RunWith(WithOpenCl.class)
@ExamReactorStrategy(PerJvm.class)
public class OpenClIT {
  private static final String DEVICE = "opencl0";
  private static final long LIMIT_US = 5_000_000;
  private static final long SHORT_LIMIT_US = 300_000;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @Inject private BundleContext context;
  private Inside inside;
  private Accelerators accelerators;
  private Capability capability;

  @Configuration
  public Option[] configuration() {
    return Container.options();
  }

  @Before
  public void aDeviceIsThere() {
    inside = new Inside(context);
    Inside.eventually(
        () -> {
          DeviceNode node = inside.device(DEVICE);
          assertEquals(node.error(), DeviceState.ACTIVE, node.state());
          return node;
        });
    accelerators = context.getService(context.getServiceReference(Accelerators.class));
    capability =
        inside.with(
            Capabilities.class,
            all ->
                all.issue(
                    new CapabilitySpec(
                        "itests",
                        Set.of(Permission.ACCEL_COMPUTE, Permission.ACCEL_MEMORY),
                        Optional.of(DEVICE),
                        0)));
  }

  @After
  public void rightsAreGivenBack() {
    inside.with(
        Capabilities.class,
        all -> {
          all.revoke(capability);
          return all;
        });
    inside.isAsItWas("| isle-failure-" + DEVICE);
  }

  @Test
  public void aStoreThatGoesAstrayHarmsItsOwnWorkOnly() throws Exception {
    Recovery recovery = harms(LIMIT_US, OpenClTenant::writeAstray, -Errno.EINTR);
    assertEquals(recovery.toString(), RecoveryCause.Kind.CRASH, recovery.cause().kind());
    assertTrue(recovery.toString(), recovery.cause().text().contains("SIGSEGV"));
  }

  @Test
  public void aKernelThatDoesNotEndHarmsItsOwnWorkOnly() throws Exception {
    Recovery recovery = harms(SHORT_LIMIT_US, OpenClTenant::computeForEver, -Errno.ETIMEDOUT);
    assertEquals(recovery.toString(), RecoveryCause.Kind.TIMEOUT, recovery.cause().kind());
  }

  @Test
  public void aStoreThatGoesAstrayInOneGroupDoesNotConcernAnother() throws Exception {
    Recovery recovery = harmsItsGroup(LIMIT_US, OpenClTenant::writeAstray, -Errno.EINTR);
    assertEquals(recovery.toString(), RecoveryCause.Kind.CRASH, recovery.cause().kind());
    assertTrue(recovery.toString(), recovery.cause().text().contains("SIGSEGV"));
  }

  @Test
  public void aKernelThatDoesNotEndInOneGroupDoesNotConcernAnother() throws Exception {
    Recovery recovery =
        harmsItsGroup(SHORT_LIMIT_US, OpenClTenant::computeForEver, -Errno.ETIMEDOUT);
    assertEquals(recovery.toString(), RecoveryCause.Kind.TIMEOUT, recovery.cause().kind());
  }

  /** While a tenant of another group computes without a pause, and notices nothing. */
  private Recovery harmsItsGroup(long limitUs, ToIntFunction<OpenClTenant> harm, int code)
      throws Exception {
    long before = newest();
    Recovery recovery;
    try (OpenClTenant good = tenant("good", "quiet", LIMIT_US, 1);
        OpenClTenant bad = tenant("bad", "wild", limitUs, 2);
        OpenClTenant own = tenant("own", LIMIT_US, 3)) {
      Map<String, Long> hosts = hosts(3);
      assertEquals("processes differ", 3, Set.copyOf(hosts.values()).size());
      AtomicBoolean over = new AtomicBoolean();
      AtomicInteger runs = new AtomicInteger();
      FutureTask<Boolean> work =
          new FutureTask<>(
              () -> {
                while (!over.get()) {
                  good.isRight();
                  runs.incrementAndGet();
                }
                return true;
              });
      Thread worker = Thread.ofPlatform().start(work);
      try {
        bad.isRight();
        assertEquals(code, harm.applyAsInt(bad));
        recovery = recoveryAfter(before);
        int then = runs.get();
        bad.isRight();
        Inside.eventually(
            () -> {
              assertTrue(runs.get() > then);
              return runs;
            });
      } finally {
        over.set(true);
        worker.join();
      }
      assertTrue(work.get());
      own.isRight();
      assertEquals(0, good.interruptions());
      assertEquals(0, own.interruptions());
      assertEquals(1, bad.interruptions());
      Map<String, Long> after = hosts(3);
      assertEquals(hosts.get("quiet"), after.get("quiet"));
      assertEquals(hosts.get("default"), after.get("default"));
      assertNotEquals(hosts.get("wild"), after.get("wild"));
    }
    assertEquals(Recovery.Outcome.RECOVERED, recovery.outcome());
    assertEquals("wild", recovery.group());
    assertEquals(1, recovery.work().contexts());
    assertEquals("one recovery, and no other", before + 1, newest());
    assertEquals(Set.of("default"), hosts(1).keySet());
    return recovery;
  }

  @Test
  public void theDeviceIsOneProcessForAllWhereItsSettingsSaySo() {
    assertEquals(Isolation.GROUP, inside.device(DEVICE).isolation());
    configure("shared");
    try {
      assertEquals(Isolation.SHARED, inside.device(DEVICE).isolation());
      try (OpenClTenant a = tenant("a", "quiet", LIMIT_US, 1);
          OpenClTenant b = tenant("b", "wild", LIMIT_US, 2)) {
        a.isRight();
        b.isRight();
        assertEquals(Set.of(""), hosts(1).keySet());
      }
    } finally {
      configure(null);
    }
    assertEquals(Isolation.GROUP, inside.device(DEVICE).isolation());
  }

  private void configure(String isolation) {
    Map<String, String> change = new HashMap<>();
    change.put("isolation", isolation);
    inside.with(
        DeviceAdmin.class,
        admin -> {
          admin.configure(DEVICE, change);
          return true;
        });
  }

  /** Processes by group, once there are so many. */
  private Map<String, Long> hosts(int count) {
    return Inside.eventually(
        () -> {
          List<DeviceHost> hosts = inside.device(DEVICE).hosts();
          assertEquals(hosts.toString(), count, hosts.size());
          return hosts.stream().collect(Collectors.toMap(DeviceHost::group, DeviceHost::pid));
        });
  }

  private OpenClTenant tenant(String name, String group, long limitUs, int add) {
    Capability right =
        inside.with(
            Capabilities.class,
            all ->
                all.issue(
                    new CapabilitySpec(
                        "itests",
                        group,
                        Set.of(Permission.ACCEL_COMPUTE, Permission.ACCEL_MEMORY),
                        Optional.of(DEVICE),
                        0)));
    return new OpenClTenant(accelerators.find(DeviceQuery.id(DEVICE)), right, name, limitUs, add);
  }

  /**
   * The bad work ends with the code, in another process than the next; contexts that were open go
   * on with their programs and retained memory, that of the bad tenant too, and the next is right.
   */
  private Recovery harms(long limitUs, ToIntFunction<OpenClTenant> harm, int code)
      throws InterruptedException {
    long before = newest();
    Optional<Long> host = inside.device(DEVICE).hostPid();
    Recovery recovery;
    try (OpenClTenant good = tenant("good", LIMIT_US, 1);
        OpenClTenant bad = tenant("bad", limitUs, 2)) {
      good.isRight();
      bad.isRight();
      assertEquals(code, harm.applyAsInt(bad));
      recovery = recoveryAfter(before);
      good.isRight();
      bad.isRight();
    }
    try (OpenClTenant next = tenant("next", LIMIT_US, 3)) {
      next.isRight();
    }
    assertEquals(Recovery.Outcome.RECOVERED, recovery.outcome());
    assertEquals(2, recovery.work().contexts());
    assertNotEquals(host, inside.device(DEVICE).hostPid());
    assertEquals("one recovery, and no other", before + 1, newest());
    return recovery;
  }

  private OpenClTenant tenant(String name, long limitUs, int add) {
    return new OpenClTenant(
        accelerators.find(DeviceQuery.id(DEVICE)), capability, name, limitUs, add);
  }

  private long newest() {
    List<Recovery> all = inside.with(RecoveryLog.class, log -> log.of(DEVICE));
    return all.isEmpty() ? 0 : all.getLast().number();
  }

  private Recovery recoveryAfter(long before) throws InterruptedException {
    RecoveryLog log = context.getService(context.getServiceReference(RecoveryLog.class));
    return log.await(DEVICE, before, PATIENCE)
        .orElseThrow(() -> new AssertionError("no recovery of " + DEVICE));
  }
}
