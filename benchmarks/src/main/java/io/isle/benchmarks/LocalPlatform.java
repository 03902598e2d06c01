package io.isle.benchmarks;

import io.isle.api.accel.Accelerator;
import io.isle.api.accel.DeviceQuery;
import io.isle.api.base.MonotonicClock;
import io.isle.api.base.Setting;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.DevicePort;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.DeviceSeed;
import io.isle.api.inference.DecisionPoint;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.CapabilitySpec;
import io.isle.api.tenancy.GroupSpec;
import io.isle.api.tenancy.GroupTree;
import io.isle.api.tenancy.Permission;
import io.isle.core.accel.AccelComponent;
import io.isle.core.accel.AccelGroupController;
import io.isle.core.accel.AcceleratorsComponent;
import io.isle.core.accel.SubmissionTimeComponent;
import io.isle.core.drivers.nativecode.NativeDriver;
import io.isle.core.drivers.nativecode.NativeOpened;
import io.isle.core.drivers.nativecode.NativeRuntime;
import io.isle.core.drivers.nativecode.control.CoreConnection;
import io.isle.core.drivers.nativecode.host.Sandbox;
import io.isle.core.drivers.session.DeviceLane;
import io.isle.core.tenancy.CapabilitiesComponent;
import io.isle.lib.agent.ThreadedAgentHost;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The platform's own classes around one device, without a container. */
public final class LocalPlatform implements AutoCloseable {
  private static final int SPIN_US = 100;

  private final CapabilitiesComponent capabilities = new CapabilitiesComponent();
  private final ThreadedAgentHost agents = new ThreadedAgentHost(1, MonotonicClock.SYSTEM);
  private final AccelComponent accel;
  private final AcceleratorsComponent accelerators;
  private final AccelGroupController groups;
  private final DevicePort.Attachment attachment;
  private final NativeDriver driver;
  private final String id;
  private final Map<String, String> settings = new HashMap<>();
  private NativeOpened opened;
  private DeviceLane lane;
  private int epoch;
  private GroupTree tree = GroupTree.EMPTY;

  /** Opens the device with one compute unit in a tier. */
  public LocalPlatform(Path nativeDirectory, int tier) {
    this(nativeDirectory, tier, Map.of(), Map.of());
  }

  /**
   * The same with settings.
   *
   * @param ofDriver for the device
   * @param ofCore for the core of accelerators
   */
  public LocalPlatform(
      Path nativeDirectory, int tier, Map<String, String> ofDriver, Map<String, String> ofCore) {
    this(nativeDirectory, ofCore);
    settings.putAll(ofDriver);
    open(tier);
  }

  private LocalPlatform(Path nativeDirectory, Map<String, String> ofCore) {
    this(new NativeRuntime(nativeDirectory, SPIN_US, Sandbox.DEFAULT), "libsoftaccel.so", ofCore);
    settings.put("compute_units", "1");
  }

  private LocalPlatform(NativeRuntime runtime, String library, Map<String, String> ofCore) {
    Map<String, Object> properties = new HashMap<>(ofCore);
    accel = new AccelComponent(capabilities, agents, properties);
    accelerators = new AcceleratorsComponent(accel);
    groups = new AccelGroupController(accel);
    groups.apply(tree);
    driver = NativeDriver.look(runtime, runtime.directory().resolve(library), System.err::println);
    for (Setting setting : driver.info().settings()) {
      settings.put(setting.key(), setting.normalise(setting.defaultValue()));
    }
    id = driver.info().name() + "0";
    attachment = accel.attach(id);
  }

  /**
   * With the first OpenCL device of the machine open, in tier 2.
   *
   * @param cache a folder that its process may write in
   * @throws PeerMissingException when there is none
   */
  public static LocalPlatform openCl(Path nativeDirectory, Path cache) {
    NativeRuntime runtime =
        new NativeRuntime(nativeDirectory, SPIN_US, Sandbox.DEFAULT)
            .with(Sandbox.Profile.OPENCL, cache);
    LocalPlatform platform = new LocalPlatform(runtime, "libisleopencl.so", Map.of());
    if (platform.driver.seeds().isEmpty()) {
      platform.close();
      throw new PeerMissingException(
          "no OpenCL device ("
              + platform.driver.probeResult().missing()
              + "): apt-get install pocl-opencl-icd");
    }
    platform.open(2);
    return platform;
  }

  /** With the driver known and the device not open. */
  public static LocalPlatform closed(Path nativeDirectory) {
    return new LocalPlatform(nativeDirectory, Map.of());
  }

  /** Opens the device from nothing. */
  public void open(int tier) {
    epoch++;
    opened =
        driver.open(
            new DeviceSpec(id, seed(), tier, true, settings),
            epoch,
            CoreConnection.of(attachment),
            System.err::println);
    lane =
        new DeviceLane(
            id,
            opened.device()::alive,
            DeviceLane.Bounds.of(attachment.controlBound()),
            cause -> System.err.println(cause.text()));
    DevicePort.Opening opening = new DevicePort.Opening(opened.device(), epoch, lane);
    lane.run("open", () -> attachment.ask(opening));
    attachment.rebuild(opening);
    attachment.thaw();
  }

  private DeviceSeed seed() {
    return driver.seeds().stream().findFirst().orElse(new DeviceSeed("0", "", ""));
  }

  /** Ends the device and its process. */
  public void shut() {
    attachment.freeze(new RecoveryCause(RecoveryCause.Kind.SERVICE, "the benchmark goes on"));
    lane.abort();
    attachment.fail(false);
    opened.end(false);
    opened.release();
    opened = null;
  }

  /** The decision of how long submissions take. */
  public DecisionPoint submissionTime() {
    return new SubmissionTimeComponent(accel);
  }

  public Accelerator accelerator() {
    return accelerators.find(DeviceQuery.id(id));
  }

  /** The root and these groups from now on. */
  public void setGroups(GroupSpec... specs) {
    GroupTree next = GroupTree.of(List.of(specs));
    groups.check(tree, next);
    groups.apply(next);
    tree = next;
  }

  public Capability capability() {
    return capability(GroupTree.ROOT);
  }

  /** With all rights, of a tenant of the group. */
  public Capability capability(String group) {
    CapabilitySpec spec =
        new CapabilitySpec("bench", EnumSet.allOf(Permission.class), Optional.empty(), 0);
    return capabilities.issue(spec.inGroup(group));
  }

  @Override
  public void close() {
    if (opened != null) {
      attachment.freeze(new RecoveryCause(RecoveryCause.Kind.SERVICE, "the benchmark ended"));
      lane.abort();
      attachment.fail(false);
      opened.device().close();
    }
    attachment.close();
    agents.close();
  }
}
