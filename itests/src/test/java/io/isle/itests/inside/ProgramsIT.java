package io.isle.itests.inside;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.isle.api.accel.Accelerators;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.DeviceQuery;
import io.isle.api.accel.Program;
import io.isle.api.accel.ProgramKind;
import io.isle.api.accel.ProgramSource;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.CapabilitySpec;
import io.isle.api.tenancy.Permission;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
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

/** Inside the distribution: programs from source, on the simulated device with its compiler. */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerJvm.class)
public class ProgramsIT {
  private static final long PATIENCE_NS = Duration.ofSeconds(30).toNanos();

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
  public void aProgramOutlivesItsDriverAndTheServiceThatRunsDrivers() throws Exception {
    Accelerators accelerators = context.getService(context.getServiceReference(Accelerators.class));
    Capability capability =
        inside.with(
            Capabilities.class,
            all ->
                all.issue(
                    new CapabilitySpec(
                        "itests", Set.of(Permission.ACCEL_COMPUTE), Optional.of("sim0"), 0)));
    DeviceQuery query =
        new DeviceQuery(
            Optional.of("sim0"),
            Optional.empty(),
            Set.of(ProgramKind.OPENCL_C),
            Set.of(),
            0,
            Set.of());
    try (Context open =
        accelerators.find(query).open(capability, ContextSpec.named("with a program"))) {
      Program program = open.load(new ProgramSource.OpenClC("__kernel void noop() {}"));
      runs(open, program);
      int epoch = open.accelerator().epoch();
      Inside.update(inside.bundle("io.isle.drivers.sim"));
      inside.works();
      runs(open, program);
      assertTrue(open.accelerator().epoch() > epoch);
      Bundle drivers = inside.bundle("io.isle.core.drivers");
      drivers.stop();
      Inside.start(drivers);
      inside.works();
      runs(open, program);
    }
    inside.with(
        Capabilities.class,
        all -> {
          all.revoke(capability);
          return all;
        });
  }

  private static void runs(Context open, Program program) {
    assertEquals(0, open.awaitUsable(PATIENCE_NS));
    long point = open.submit(open.writer().dispatch(program, 0, 1, 1, 1));
    assertEquals(0, open.await(point, PATIENCE_NS));
  }
}
