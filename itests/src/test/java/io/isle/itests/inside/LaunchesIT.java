package io.isle.itests.inside;

import static org.junit.Assert.assertEquals;

import io.isle.api.accel.Accelerators;
import io.isle.api.accel.DeviceQuery;
import io.isle.api.base.Errno;
import io.isle.api.device.DeviceAdmin;
import io.isle.api.device.DeviceNode;
import io.isle.api.device.DeviceState;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.CapabilitySpec;
import io.isle.api.tenancy.Permission;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.inject.Inject;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.osgi.framework.BundleContext;

/** Inside the distribution: kernels of an OpenCL device that need more than a size. */
@RunWith(WithOpenCl.class)
@ExamReactorStrategy(PerJvm.class)
public class LaunchesIT {
  private static final String DEVICE = "opencl0";
  private static final int OLD = 0x11111111;
  private static final int NEW = 0x22222222;

  @Inject private BundleContext context;
  private Inside inside;
  private Accelerators accelerators;
  private final List<Capability> issued = new ArrayList<>();

  @Configuration
  public Option[] configuration() {
    return Container.options();
  }

  @Before
  public void aDeviceIsThere() {
    inside = new Inside(context);
    isActive();
    accelerators = context.getService(context.getServiceReference(Accelerators.class));
  }

  private void isActive() {
    Inside.eventually(
        () -> {
          DeviceNode node = inside.device(DEVICE);
          assertEquals(node.error(), DeviceState.ACTIVE, node.state());
          return node;
        });
  }

  @After
  public void rightsAreGivenBack() {
    inside.with(
        Capabilities.class,
        all -> {
          issued.forEach(all::revoke);
          return all;
        });
    inside.isAsItWas("| isle-failure-" + DEVICE);
  }

  private LaunchTenant tenant(String name, String group) {
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
    issued.add(right);
    return new LaunchTenant(accelerators.find(DeviceQuery.id(DEVICE)), right, name);
  }

  private void configure(String key, String value) {
    Map<String, String> change = new HashMap<>();
    change.put(key, value);
    inside.with(
        DeviceAdmin.class,
        admin -> {
          admin.configure(DEVICE, change);
          return true;
        });
    isActive();
  }

  @Test
  public void kernelsRunInTheDevicesProcessAndInThatOfAGroup() {
    try (LaunchTenant own = tenant("own", "default");
        LaunchTenant apart = tenant("apart", "quiet")) {
      own.isRight();
      apart.isRight();
    }
  }

  @Test
  public void kernelsRunInThePlatformsProcess() {
    configure("tier", "1");
    try (LaunchTenant tenant = tenant("tier 1", "default")) {
      tenant.isRight();
    } finally {
      configure("tier", null);
    }
  }

  /** Contexts outlive the update of a setting, which opens the device anew. */
  @Test
  public void aDevicesOwnCopyIsUsedWithoutCopiesUntilTheDeviceIsOpenedAnew() {
    configure("memory", "staging");
    try (LaunchTenant tenant = tenant("staged", "default")) {
      tenant.isRight();
      tenant.fillApart(OLD);
      assertEquals(0, tenant.bringBack());
      assertEquals(OLD, tenant.first());
      tenant.fillApart(NEW);
      assertEquals("the CPU does not see it", OLD, tenant.first());
      configure("max_contexts", "32");
      assertEquals("the copy is gone", -Errno.ENODATA, tenant.bringBack());
      tenant.isRight();
      tenant.fillApart(NEW);
      assertEquals(0, tenant.bringBack());
      assertEquals(NEW, tenant.first());
    } finally {
      configure("max_contexts", null);
      configure("memory", null);
    }
  }
}
