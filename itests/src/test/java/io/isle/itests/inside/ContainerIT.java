package io.isle.itests.inside;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import io.isle.api.accel.Accelerators;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.DeviceQuery;
import io.isle.api.base.Errno;
import io.isle.api.device.DeviceNode;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.CapabilitySpec;
import io.isle.api.tenancy.GroupController;
import io.isle.api.tenancy.GroupSpec;
import io.isle.api.tenancy.Groups;
import io.isle.api.tenancy.Permission;
import io.isle.api.tenancy.TenancyException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import javax.inject.Inject;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceRegistration;

/** Inside the distribution, in a container of its own: bundles go and come back. */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerJvm.class)
public class ContainerIT {
  @Inject private BundleContext context;
  private Inside inside;

  @Configuration
  public Option[] configuration() {
    return Container.options();
  }

  @Before
  public void settle() {
    inside = new Inside(context);
    inside.works();
  }

  @After
  public void itIsAsItWas() {
    inside.isAsItWas();
  }

  @Test
  public void everyBundleIsActive() {
    for (Bundle bundle : context.getBundles()) {
      boolean fragment = bundle.getHeaders().get(Constants.FRAGMENT_HOST) != null;
      int expected = fragment ? Bundle.RESOLVED : Bundle.ACTIVE;
      assertEquals(bundle.toString(), expected, bundle.getState());
    }
  }

  /** Without it, a settings file that comes and goes may make an error or lose its settings. */
  @Test
  public void fileInstallUsesOurInstallerOfSettingsFiles() throws Exception {
    String installer = "(component.name=io.isle.core.devices.EtcInstaller)";
    Inside.eventually(
        () -> {
          List<String> users =
              Stream.of(context.getAllServiceReferences(null, installer))
                  .flatMap(reference -> Stream.of(reference.getUsingBundles()))
                  .map(Bundle::getSymbolicName)
                  .toList();
          assertEquals(List.of("org.apache.felix.fileinstall"), users);
          return users;
        });
  }

  @Test
  public void theSoftwareAcceleratorGoesAndComesBack() throws Exception {
    Bundle soft = inside.bundle("io.isle.drivers.soft");
    assertFalse(inside.driverHostsOfAll().isEmpty());
    soft.stop();
    Inside.eventually(
        () -> {
          assertEquals(List.of(), inside.driverHostsOfAll());
          return soft;
        });
    goesAndComesBack("io.isle.drivers.soft");
  }

  @Test
  public void theSimulatedAcceleratorGoesAndComesBack() throws Exception {
    goesAndComesBack("io.isle.drivers.sim");
  }

  @Test
  public void jobsGoAndComeBack() throws Exception {
    goesAndComesBack("io.isle.apps.jobs");
  }

  @Test
  public void theAuditBookGoesAndComesBack() throws Exception {
    goesAndComesBack("io.isle.core.observe");
  }

  @Test
  public void powerAndHealthGoAndComeBack() throws Exception {
    goesAndComesBack("io.isle.core.health");
  }

  @Test
  public void commandsGoAndComeBack() throws Exception {
    goesAndComesBack("io.isle.faces.shell.base");
    for (Bundle face : inside.faces()) {
      goesAndComesBack(face.getSymbolicName());
    }
  }

  @Test
  public void theControlSocketGoesAndComesBack() throws Exception {
    goesAndComesBack("io.isle.faces.control");
  }

  @Test
  public void devicesComeBackWithTheServiceThatRunsDrivers() throws Exception {
    Map<String, Integer> threads = Inside.settledThreads();
    Bundle drivers = inside.bundle("io.isle.core.drivers");
    DeviceNode before = inside.device("soft0");
    drivers.stop();
    Inside.eventually(
        () -> {
          assertEquals(List.of(), Inside.driverHosts());
          return drivers;
        });
    Inside.start(drivers);
    inside.works();
    DeviceNode after = inside.device("soft0");
    assertNotEquals(before.hostPid(), after.hostPid());
    assertTrue(after + " was " + before, after.epoch() > before.epoch());
    sameThreads(threads);
  }

  @Test
  public void aContextEndsWithTheBundleThatOpenedIt() throws Exception {
    Bundle tenant = inside.bundle("io.isle.faces.shell.accel");
    BundleContext its = tenant.getBundleContext();
    Accelerators accelerators = its.getService(its.getServiceReference(Accelerators.class));
    Capability capability = inside.with(Capabilities.class, c -> c.issue(compute()));
    Context open =
        accelerators
            .find(DeviceQuery.id("soft0"))
            .open(capability, ContextSpec.named("of a bundle that stops"));
    tenant.stop();
    Inside.eventually(
        () -> {
          assertEquals(-Errno.ECLOSED, open.submit(open.writer()));
          return open;
        });
    Inside.start(tenant);
    inside.with(
        Capabilities.class,
        c -> {
          c.revoke(capability);
          return c;
        });
    inside.works();
  }

  @Test
  public void groupsAreCheckedByTheControllersThatAreThere() {
    OneShare controller = new OneShare();
    ServiceRegistration<GroupController> registered =
        context.registerService(GroupController.class, controller, null);
    try {
      inside.with(Groups.class, g -> g.create(GroupSpec.of("itests", Map.of(OneShare.KEY, "1"))));
      assertEquals("1", controller.applied.find("itests").orElseThrow().own().get(OneShare.KEY));
      GroupSpec much = GroupSpec.of("much", Map.of("parent", "itests", OneShare.KEY, "2"));
      TenancyException refused =
          assertThrows(
              TenancyException.class, () -> inside.with(Groups.class, g -> g.create(much)));
      assertEquals(OneShare.KEY + ": 2 is more than 1", refused.getMessage());
      assertTrue(controller.applied.find("much").isEmpty());
      registered.unregister();
      assertEquals(
          List.of(OneShare.KEY),
          inside.with(Groups.class, g -> g.find("itests")).orElseThrow().notInForce());
    } finally {
      inside.with(
          Groups.class,
          g -> {
            g.delete("itests");
            return g;
          });
    }
  }

  private static CapabilitySpec compute() {
    return new CapabilitySpec("itests", Set.of(Permission.ACCEL_COMPUTE), Optional.empty(), 0);
  }

  private void goesAndComesBack(String name) throws BundleException {
    Bundle bundle = inside.bundle(name);
    Inside.start(bundle);
    inside.works();
    Map<String, Integer> threads = Inside.settledThreads();
    bundle.stop();
    Inside.start(bundle);
    inside.works();
    sameThreads(threads);
    Inside.update(bundle);
    inside.works();
    sameThreads(threads);
  }

  private static void sameThreads(Map<String, Integer> expected) {
    Inside.eventually(
        () -> {
          Map<String, Integer> now = Inside.threads();
          assertEquals(Inside.lasting(expected), Inside.lasting(now));
          now.forEach(
              (name, count) -> assertTrue(now.toString(), count <= expected.getOrDefault(name, 0)));
          return expected;
        });
  }
}
