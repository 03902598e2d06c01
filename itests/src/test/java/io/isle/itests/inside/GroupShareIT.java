package io.isle.itests.inside;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.isle.api.accel.Accelerators;
import io.isle.api.base.ConfigFiles;
import io.isle.api.device.DeviceState;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.CapabilitySpec;
import io.isle.api.tenancy.Groups;
import io.isle.api.tenancy.Permission;
import io.isle.itests.Alone;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import javax.inject.Inject;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;

/**
 * The files of two groups are edited while a tenant of each wants all of a device; the shares have
 * changed a second later, unless other tests take the processors.
 */
@Category(Alone.class)
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerJvm.class)
public class GroupShareIT {
  /** It has one compute unit: a share of it is a share of one worker's time. */
  private static final String DEVICE = "soft95";

  private static final String EDITED = "it-edited";
  private static final String OTHER = "it-other";

  private static final long PERIOD_US = 20_000;

  /** 25 periods: what is off by one at its ends is within the tolerance. */
  private static final long WINDOW_NS = TimeUnit.MILLISECONDS.toNanos(500);

  private static final double TOLERANCE_PERCENT = 4;

  /** A second, and how long it takes until somebody looks at the folder. */
  private static final long SOON_NS = TimeUnit.MILLISECONDS.toNanos(1000 + 200);

  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);

  @Inject private BundleContext context;
  private Inside inside;
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
    files(
        files -> {
          files.set("io.isle.device-" + DEVICE, Map.of("compute_units", "1"));
          return files;
        });
    Inside.eventually(
        () -> {
          assertEquals(DeviceState.ACTIVE, inside.device(DEVICE).state());
          return DEVICE;
        });
  }

  @After
  public void forget() {
    context.ungetService(reference);
    for (String name : List.of(EDITED, OTHER)) {
      groups(
          all -> {
            if (all.find(name).isPresent()) {
              all.delete(name);
            }
            return all;
          });
    }
    boolean ignored = files(files -> files.delete("io.isle.device-" + DEVICE));
    inside.isAsItWas();
  }

  private <T> T groups(Function<Groups, T> call) {
    return inside.with(Groups.class, call);
  }

  private <T> T files(Function<ConfigFiles, T> call) {
    return inside.with(ConfigFiles.class, call);
  }

  private Flood flood(String group) {
    CapabilitySpec spec =
        new CapabilitySpec(
            "itests",
            group,
            Set.of(Permission.ACCEL_COMPUTE, Permission.ACCEL_PERF),
            Optional.empty(),
            0);
    Capability holder = inside.with(Capabilities.class, issuer -> issuer.issue(spec));
    return new Flood(accelerators, DEVICE, holder);
  }

  @Test
  public void anEditChangesTheMeasuredShareWithinASecondAndABadOneNothing() throws Exception {
    long begun = edit(70);
    Inside.eventually(() -> groups(all -> all.stat(EDITED)));
    Inside.eventually(() -> groups(all -> all.stat(OTHER)));
    try (Flood edited = flood(EDITED);
        Flood other = flood(OTHER)) {
      String start = awaitShare(70, edited, other, begun, PATIENCE_NS);
      String less = awaitShare(30, edited, other, edit(30), SOON_NS);
      String more = awaitShare(60, edited, other, edit(60), SOON_NS);
      write(EDITED, "most");
      String error =
          Inside.eventually(
              () -> {
                String said = groups(all -> all.find(EDITED)).orElseThrow().error();
                assertTrue("nothing is said of it", !said.isEmpty());
                return said;
              });
      assertTrue(error, error.startsWith("compute.guarantee: "));
      assertTrue(error, error.contains("most"));
      double share = share(edited, other, 3 * WINDOW_NS);
      String seen = "after " + start + less + more + "a bad edit";
      assertEquals(seen, 60, share, TOLERANCE_PERCENT);
    }
  }

  /**
   * Promises all of the device, so that the shares are the same when it has less than it should: on
   * a busy machine its worker does not get a whole processor.
   *
   * @return when
   */
  private static long edit(int percent) throws IOException {
    write(EDITED, percent * PERIOD_US / 100 + " " + PERIOD_US);
    write(OTHER, (100 - percent) * PERIOD_US / 100 + " " + PERIOD_US);
    return System.nanoTime();
  }

  /**
   * Waits until a window has the share.
   *
   * @param withinNs of {@code sinceNs} it begins
   * @return the windows until then, for messages
   */
  private static String awaitShare(
      double percent, Flood edited, Flood other, long sinceNs, long withinNs) throws Exception {
    StringBuilder seen = new StringBuilder();
    while (System.nanoTime() - sinceNs < PATIENCE_NS) {
      long begin = System.nanoTime() - sinceNs;
      double share = share(edited, other, WINDOW_NS);
      seen.append(String.format("%.1f %% from %d ms, ", share, begin / 1_000_000));
      if (Math.abs(share - percent) <= TOLERANCE_PERCENT) {
        assertTrue(percent + " % is late: " + seen, begin <= withinNs);
        return seen.toString();
      }
    }
    throw new AssertionError("it does not get " + percent + " %: " + seen);
  }

  /** What the workers spent on the one, in percent of what they spent on both, over a window. */
  private static double share(Flood edited, Flood other, long windowNs)
      throws InterruptedException {
    long one = edited.cpuNs();
    long two = other.cpuNs();
    TimeUnit.NANOSECONDS.sleep(windowNs);
    double ofOne = edited.cpuNs() - one;
    return 100 * ofOne / (ofOne + other.cpuNs() - two);
  }

  /** As an editor does it: written beside, then renamed. */
  private static void write(String group, String promise) throws IOException {
    Path file = Path.of(System.getProperty("karaf.etc"), "io.isle.group-" + group + ".cfg");
    Path beside =
        Files.writeString(
            file.resolveSibling("edited"), "compute.guarantee = " + DEVICE + " " + promise + "\n");
    Files.move(beside, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }
}
