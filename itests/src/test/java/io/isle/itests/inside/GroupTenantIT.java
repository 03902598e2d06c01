package io.isle.itests.inside;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import io.isle.api.accel.Accelerators;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.DeviceQuery;
import io.isle.api.accel.GroupUsage;
import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import io.isle.api.device.Priority;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.CapabilitySpec;
import io.isle.api.tenancy.GroupSpec;
import io.isle.api.tenancy.Groups;
import io.isle.api.tenancy.Permission;
import io.isle.api.tenancy.TenancyException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import javax.inject.Inject;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;

/** What its group lets a tenant do, on a device of the distribution. */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerJvm.class)
public class GroupTenantIT {
  private static final ContextSpec SPEC = ContextSpec.named("tenant");
  private static final String NAME = "it-tenant";

  @Inject private BundleContext context;
  private Inside inside;

  /** Held over the test: contexts end with the service object that opened them. */
  private ServiceReference<Accelerators> reference;

  private Accelerators accelerators;

  @Configuration
  public Option[] configuration() {
    return Container.options();
  }

  @Before
  public void settle() {
    inside = new Inside(context);
    inside.works();
    reference = context.getServiceReference(Accelerators.class);
    accelerators = context.getService(reference);
  }

  @After
  public void forget() {
    context.ungetService(reference);
    groups(
        all -> {
          if (all.find(NAME).isPresent()) {
            all.delete(NAME);
          }
          return all;
        });
    inside.isAsItWas();
  }

  private <T> T groups(Function<Groups, T> call) {
    return inside.with(Groups.class, call);
  }

  private void create(String... keys) {
    Map<String, String> raw = new HashMap<>();
    for (int i = 0; i < keys.length; i += 2) {
      raw.put(keys[i], keys[i + 1]);
    }
    groups(all -> all.create(GroupSpec.of(NAME, raw)));
  }

  private Capability capability() {
    CapabilitySpec all =
        new CapabilitySpec(
            "itests",
            NAME,
            Set.of(Permission.ACCEL_COMPUTE, Permission.ACCEL_MEMORY, Permission.ACCEL_CONTEXT_RT),
            Optional.empty(),
            0);
    return inside.with(Capabilities.class, issuer -> issuer.issue(all));
  }

  private Context open(Capability holder, ContextSpec spec) {
    return accelerators.find(DeviceQuery.id("soft0")).open(holder, spec);
  }

  private static IsleException refused(int code, Runnable action) {
    IsleException refusal = assertThrows(IsleException.class, action::run);
    assertEquals(refusal.getMessage(), code, refusal.code());
    return refusal;
  }

  @Test
  public void aFullGroupSaysSoAndHasRoomAgain() {
    create("memory.max", "1m");
    Capability holder = capability();
    try (Context one = open(holder, SPEC);
        Context two = open(holder, SPEC)) {
      Buffer most = one.allocate(1 << 20, 0);
      assertEquals(
          "memory.max: group "
              + NAME
              + ": 1 bytes more would exceed the group's memory.max of 1048576 (1048576 are in"
              + " use)",
          refused(Errno.ENOMEM, () -> two.allocate(1, 0)).getMessage());
      assertEquals(1 << 20, (long) groups(all -> all.stat(NAME)).get("memory_current"));
      most.close();
      two.allocate(1 << 20, 0);
    }
    assertEquals(0, (long) groups(all -> all.stat(NAME)).get("memory_current"));
    assertEquals(1 << 20, (long) groups(all -> all.stat(NAME)).get("memory_peak"));
  }

  @Test
  public void aDeletedGroupEndsWhatLivesInIt() {
    create();
    Capability holder = capability();
    Context living = open(holder, SPEC);
    long point = living.submit(living.writer());
    assertEquals(0, living.await(point, -1));
    groups(
        all -> {
          all.delete(NAME);
          return all;
        });
    assertEquals("closed", living.info().state());
    assertTrue(
        refused(Errno.ECLOSED, () -> living.allocate(1, 0))
            .getMessage()
            .endsWith("group " + NAME + " was deleted"));
    refused(Errno.EREVOKED, () -> open(holder, SPEC));
    assertTrue(groups(all -> all.find(NAME)).isEmpty());
  }

  @Test
  public void anEditedFileActsAndABadOneChangesNothing() throws IOException {
    write("memory.max = 8k\n");
    Inside.eventually(() -> groups(all -> all.stat(NAME)));
    try (Context living = open(capability(), SPEC)) {
      refused(Errno.ENOMEM, () -> living.allocate(8193, 0));
      write("memory.max = 64k\n");
      Inside.eventually(() -> living.allocate(65_536, 0)).close();
      write("memory.max = lots\n");
      String error =
          Inside.eventually(
              () -> {
                String said = groups(all -> all.find(NAME)).orElseThrow().error();
                assertTrue("nothing is said of it", !said.isEmpty());
                return said;
              });
      assertEquals(
          "memory.max: 'lots' is not a number of bytes (with k, m, g, t or KiB, MiB, GiB, TiB), nor max",
          error);
      living.allocate(65_536, 0).close();
      refused(Errno.ENOMEM, () -> living.allocate(65_537, 0));
      write("memory.max = 4k\n");
      Inside.eventually(
          () -> {
            assertEquals("", groups(all -> all.find(NAME)).orElseThrow().error());
            return refused(Errno.ENOMEM, () -> living.allocate(4097, 0));
          });
    }
  }

  /** As an editor does it: written beside, then renamed. */
  private static void write(String text) throws IOException {
    Path file = Path.of(System.getProperty("karaf.etc"), "io.isle.group-" + NAME + ".cfg");
    Path beside = Files.writeString(file.resolveSibling("edited"), text);
    Files.move(beside, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  @Test
  public void aGuaranteeIsCutOutOfTheGroupsAndSeenByItsTenant() {
    create("compute.guarantee", "soft0 300000");
    Capability holder = capability();
    try (Context realtime =
        open(holder, SPEC.withPriority(Priority.REALTIME).withGuarantee(200_000, 0))) {
      assertEquals(20, realtime.info().usage().promisedPercent(), 0);
      assertEquals(
          "guaranteedBandwidthUs: group "
              + NAME
              + ": compute.guarantee: soft0: contexts of "
              + NAME
              + " 35 % is more than the guarantee of "
              + NAME
              + ", 30 %",
          refused(Errno.EBUSY, () -> open(holder, SPEC.withGuarantee(150_000, 0))).getMessage());
      TenancyException less =
          assertThrows(
              TenancyException.class,
              () -> groups(all -> all.set(NAME, Map.of("compute.guarantee", "soft0 100000"))));
      assertEquals(
          "compute.guarantee: soft0: 10 % is less than the guarantees below: contexts of "
              + NAME
              + " 20 %",
          less.getMessage());
      List<GroupUsage> own = accelerators.usage(holder, NAME);
      GroupUsage soft =
          own.stream().filter(row -> row.device().equals("soft0")).findFirst().orElseThrow();
      assertEquals(30, soft.usage().promisedPercent(), 0);
      assertEquals(NAME, soft.promisedBy());
      refused(Errno.EACCES, () -> accelerators.usage(holder, "default"));
    }
  }
}
