package io.isle.core.drivers.nativecode;

import io.isle.api.base.Errno;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.DevicePort;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.DeviceSeed;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.DriverInfo;
import io.isle.core.drivers.nativecode.control.ControlClient;
import io.isle.core.drivers.nativecode.control.CoreConnection;
import io.isle.core.drivers.nativecode.control.DeviceOutput;
import io.isle.core.drivers.nativecode.control.Hello;
import io.isle.core.drivers.nativecode.control.Lane;
import io.isle.core.drivers.nativecode.control.ProbeResult;
import io.isle.core.drivers.nativecode.host.CrashReport;
import io.isle.core.drivers.nativecode.host.HostLane;
import io.isle.core.drivers.nativecode.host.HostProcess;
import io.isle.core.drivers.nativecode.host.HostStart;
import io.isle.core.drivers.nativecode.shim.ShimLane;
import io.isle.lib.kabi.ControlOp;
import io.isle.lib.shm.Channel;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A driver that is a shared library. It is asked who it is in a host process that ends right
 * afterwards, so that a bad library cannot hurt the platform by being looked at. Thread-safe.
 */
public final class NativeDriver {
  private static final Logger LOG = LoggerFactory.getLogger(NativeDriver.class);
  private static final int PROBE_INFLIGHT = 1;

  private final NativeRuntime runtime;
  private final Path library;
  private final ProbeResult probeResult;

  /** A driver that introduced itself. What it logs of a device is logged under that one's name. */
  public NativeDriver(NativeRuntime runtime, Path library, ProbeResult probeResult) {
    this.runtime = runtime;
    this.library = library;
    this.probeResult = probeResult;
  }

  /** As {@link #probe}; gives the driver with the result. */
  public static NativeDriver look(NativeRuntime runtime, Path library, Consumer<String> log) {
    return new NativeDriver(runtime, library, probe(runtime, library, log));
  }

  /**
   * Asks a library for its driver and devices.
   *
   * @param log gets lines that the driver prints meanwhile
   * @throws DriverException saying why it cannot be used
   */
  public static ProbeResult probe(NativeRuntime runtime, Path library, Consumer<String> log) {
    try (Lane lane = hostLane(runtime, library, PROBE_INFLIGHT, 0, log)) {
      ControlClient control = new ControlClient(lane);
      ProbeResult said = Hello.ask(control).introduce(control, System::nanoTime);
      if (!said.missing().isEmpty()) {
        log.accept("no devices: " + said.missing());
      }
      var ignored =
          control.exchange(
              ControlOp.EXIT, MemorySegment.ofArray(new byte[0]), ControlClient.BOUND_NS);
      return said;
    }
  }

  public ProbeResult probeResult() {
    return probeResult;
  }

  public DriverInfo info() {
    return probeResult.info();
  }

  public List<DeviceSeed> seeds() {
    return probeResult.seeds();
  }

  /**
   * Loads the library for a device in the tier that the spec asks for, and opens nothing.
   *
   * @param connection whose memory the driver gets
   * @throws DriverException saying why not; then nothing of it is left
   */
  public StandbyDriver standby(DeviceSpec spec, CoreConnection connection) {
    return new StandbyDriver(Connected.to(lane(spec, 0), connection));
  }

  /**
   * Opens a device in the tier that the spec asks for.
   *
   * @param connection gets completions, on the thread that polls the device
   * @param lost called once, on any thread, when the device ended by itself, with the cause
   * @throws DriverException saying why; then nothing of it is left
   */
  public NativeOpened open(
      DeviceSpec spec, int epoch, CoreConnection connection, Consumer<RecoveryCause> lost) {
    return Connected.to(lane(spec, epoch), connection).open(spec, connection, lost);
  }

  private Lane lane(DeviceSpec spec, int epoch) {
    return spec.tier() == 1
        ? shimLane(spec.id(), epoch)
        : hostLane(
            runtime,
            library,
            DevicePort.MAX_INFLIGHT,
            epoch,
            new DeviceOutput(spec.id(), DeviceOutput.logger(spec.id())));
  }

  private static Lane hostLane(
      NativeRuntime runtime, Path library, int inflight, int epoch, Consumer<String> log) {
    Channel channel = Channel.create(inflight, epoch, runtime.spinUs());
    HostProcess host = null;
    try {
      CrashReport report = new CrashReport(library, runtime.host());
      host = HostStart.run(runtime.host(), library, runtime.sandbox(), channel, report, log);
      return new HostLane(channel, host, report);
    } catch (RuntimeException | Error e) {
      if (host != null) {
        host.close();
      }
      channel.close();
      throw e;
    }
  }

  /** The same path gives the old image while that is still loaded: so a copy for each load. */
  private Lane shimLane(String device, int epoch) {
    Path copy = library.resolveSibling(UUID.randomUUID() + "-" + library.getFileName());
    try {
      Files.copy(library, copy);
      return new ShimLane(
          runtime.shim(),
          copy,
          Channel.create(DevicePort.MAX_INFLIGHT, epoch, runtime.spinUs()),
          device);
    } catch (IOException e) {
      throw new DriverException(Errno.EIO, "cannot copy " + library + ": " + e.getMessage(), e);
    } finally {
      delete(copy);
    }
  }

  /** What is loaded works without it: no reason to fail. */
  private static void delete(Path copy) {
    try {
      Files.deleteIfExists(copy);
    } catch (IOException e) {
      LOG.warn("cannot delete {}: {}", copy, e.getMessage());
    }
  }
}
