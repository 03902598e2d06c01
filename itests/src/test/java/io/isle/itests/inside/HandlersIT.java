package io.isle.itests.inside;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import io.isle.api.accel.Accelerators;
import io.isle.api.accel.DeviceQuery;
import io.isle.api.base.Errno;
import io.isle.api.device.DeviceAdmin;
import io.isle.api.device.DeviceHost;
import io.isle.api.device.DeviceNode;
import io.isle.api.device.DeviceState;
import io.isle.api.device.Recovery;
import io.isle.api.device.RecoveryCause;
import io.isle.api.device.RecoveryLog;
import io.isle.api.driver.DeviceSession;
import io.isle.api.driver.DeviceSessions;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.HandlerUnits;
import io.isle.api.driver.HpuCaps;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.CapabilitySpec;
import io.isle.api.tenancy.Permission;
import io.isle.lib.kabi.SpinStructs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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

/** Inside the distribution: handlers of packets on the HPUs of its device. */
@RunWith(WithHandlers.class)
@ExamReactorStrategy(PerJvm.class)
public class HandlersIT {
  private static final String DEVICE = "spin0";

  /** What hostile.h calls READ, ILLEGAL, DEEP, LOOP, SENDS and PRINTS. */
  private static final int[] TRAPS = {0, 3, 6, 8, 9, 10};

  /** Hears no signal any more. */
  private static final int DEAF = 13;

  private static final int NOTHING = 23;

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @Inject private BundleContext context;
  private Inside inside;
  private Accelerators accelerators;
  private byte[] image;

  @Configuration
  public Option[] configuration() {
    return Container.options();
  }

  @Before
  public void aDeviceIsThere() throws IOException {
    inside = new Inside(context);
    Inside.eventually(
        () -> {
          DeviceNode node = inside.device(DEVICE);
          assertEquals(node.error(), DeviceState.ACTIVE, node.state());
          return node;
        });
    accelerators = context.getService(context.getServiceReference(Accelerators.class));
    image = image("udp_ping");
  }

  private static byte[] image(String name) throws IOException {
    return Files.readAllBytes(
        Path.of(System.getProperty(WithHandlers.FOLDER)).resolve(name + ".spin"));
  }

  @After
  public void nothingIsLeft() {
    inside.isAsItWas("| isle-failure-" + DEVICE, "has not left its handler for 250 ms");
  }

  private DeviceSession session() {
    return inside
        .with(DeviceSessions.class, all -> all.find(DEVICE))
        .orElseThrow(() -> new AssertionError("no session of " + DEVICE));
  }

  private HandlersTenant tenant(String group) {
    return tenant(group, image);
  }

  private HandlersTenant tenant(String group, byte[] handlers) {
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
    return new HandlersTenant(
        accelerators.find(DeviceQuery.id(DEVICE)), right, "of-" + group, handlers);
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

  private long newest() {
    List<Recovery> all = inside.with(RecoveryLog.class, log -> log.of(DEVICE));
    return all.isEmpty() ? 0 : all.getLast().number();
  }

  private Recovery recoveryAfter(long before) throws InterruptedException {
    RecoveryLog log = context.getService(context.getServiceReference(RecoveryLog.class));
    return log.await(DEVICE, before, PATIENCE)
        .orElseThrow(() -> new AssertionError("no recovery of " + DEVICE));
  }

  @Test
  public void theDeviceSaysWhatItsHpusHave() {
    HpuCaps caps = session().call(HandlerUnits.class, HandlerUnits::caps);
    assertEquals(16, caps.hpus());
    assertEquals(256 << 10, caps.programBytes());
    assertEquals(40, caps.megahertz());
    assertEquals(5000, caps.limits().handlerMicros());
  }

  @Test
  public void aRefusalHasTheDriversText() {
    try (HandlersTenant tenant = tenant("default")) {
      tenant.attach(session());
      DriverException twice = assertThrows(DriverException.class, () -> tenant.attach(session()));
      assertEquals(Errno.EBUSY, twice.code());
      tenant.detach(session());
      DriverException none = assertThrows(DriverException.class, () -> tenant.detach(session()));
      assertEquals(Errno.ENOENT, none.code());
      image[16] = 9;
      RuntimeException bad = assertThrows(RuntimeException.class, () -> tenant("default").close());
      assertTrue(bad.getMessage(), bad.getMessage().contains("type 9"));
    }
  }

  @Test
  public void handlersRunInTheProcessOfTheirGroupAndComeBackAfterItsEnd() throws Exception {
    long before = newest();
    try (HandlersTenant quiet = tenant("quiet");
        HandlersTenant wild = tenant("wild")) {
      quiet.attach(session());
      wild.attach(session());
      quiet.ping(1);
      wild.ping(2);
      assertEquals(1, quiet.report(session()).tasks());
      Map<String, Long> hosts = hosts(3);
      ProcessHandle.of(hosts.get("wild")).orElseThrow().destroyForcibly();
      Recovery recovery = recoveryAfter(before);
      assertEquals("wild", recovery.group());
      assertEquals(RecoveryCause.Kind.CRASH, recovery.cause().kind());
      assertEquals(Recovery.Outcome.RECOVERED, recovery.outcome());
      wild.comesBack();
      assertEquals(1, wild.interruptions());
      assertFalse(wild.report(session()).attached());
      wild.attach(session());
      wild.ping(3);
      assertEquals(1, wild.report(session()).tasks());
      quiet.ping(4);
      assertEquals(2, quiet.report(session()).tasks());
      assertEquals(0, quiet.interruptions());
      Map<String, Long> after = hosts(3);
      assertNotEquals(hosts.get("wild"), after.get("wild"));
      assertEquals(hosts.get("quiet"), after.get("quiet"));
    }
  }

  @Test
  public void handlersOfOneGroupDoNotHarmThoseOfAnother() throws Exception {
    long before = newest();
    try (HandlersTenant quiet = tenant("quiet");
        HandlersTenant wild = tenant("wild", image("hostile"))) {
      quiet.attach(session());
      wild.attach(session());
      for (int action : TRAPS) {
        wild.post(action, 0x40);
        quiet.ping(action);
        assertEquals("action " + action, SpinStructs.RESULT_TRAPPED, wild.result());
      }
      wild.post(NOTHING, 0);
      assertEquals(SpinStructs.RESULT_DONE, wild.result());
      wild.post(DEAF, 0);
      quiet.ping(DEAF);
      Recovery recovery = recoveryAfter(before);
      assertEquals("wild", recovery.group());
      assertEquals(RecoveryCause.Kind.CRASH, recovery.cause().kind());
      wild.comesBack();
      wild.attach(session());
      wild.post(NOTHING, 0);
      assertEquals(SpinStructs.RESULT_DONE, wild.result());
      quiet.ping(NOTHING);
      assertEquals(0, quiet.interruptions());
    }
  }

  @Test
  public void theEndOfTheDevicesOwnProcessInterruptsAllAndAllComeBack() throws Exception {
    long before = newest();
    try (HandlersTenant own = tenant("default");
        HandlersTenant quiet = tenant("quiet")) {
      own.attach(session());
      quiet.attach(session());
      own.ping(1);
      quiet.ping(2);
      ProcessHandle.of(hosts(2).get("default")).orElseThrow().destroyForcibly();
      assertEquals(Recovery.Outcome.RECOVERED, recoveryAfter(before).outcome());
      for (HandlersTenant tenant : List.of(own, quiet)) {
        tenant.comesBack();
        assertEquals(1, tenant.interruptions());
        tenant.attach(session());
        tenant.ping(3);
      }
    }
  }

  @Test
  public void aReloadOfTheDriverTakesHandlersAwayAndKeepsTheirMemory() throws Exception {
    long before = newest();
    try (HandlersTenant tenant = tenant("default")) {
      tenant.attach(session());
      tenant.ping(1);
      tenant.remember(7);
      inside.with(
          DeviceAdmin.class,
          admin -> {
            admin.reload(DEVICE);
            return true;
          });
      assertEquals(Recovery.Outcome.RECOVERED, recoveryAfter(before).outcome());
      assertEquals(7, tenant.remembered());
      assertFalse(tenant.report(session()).attached());
      tenant.attach(session());
      tenant.ping(2);
    }
  }
}
