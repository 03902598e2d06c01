package io.isle.core.drivers.versions;

import io.isle.api.device.HostFault;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.DevicePort;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.DeviceSeed;
import io.isle.api.driver.DriverInfo;
import io.isle.core.drivers.driver.DriverHandle;
import io.isle.core.drivers.driver.DriverProcess;
import io.isle.core.drivers.driver.OpenedDevice;
import io.isle.core.drivers.driver.Standby;
import io.isle.core.drivers.driver.Versions;
import io.isle.core.drivers.nativecode.NativeDriver;
import io.isle.core.drivers.nativecode.NativeOpened;
import io.isle.core.drivers.nativecode.StandbyDriver;
import io.isle.core.drivers.nativecode.control.CoreConnection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A native driver that a bundle brought.
 *
 * @param admission throws when its library may not be loaded; asked before each time that it is
 * @param versions keeps and finds the version to fall back on
 */
public record NativeHandle(
    NativeDriver driver, String source, String note, Runnable admission, Versions versions)
    implements DriverHandle {
  /** The same, with something to be told of it. */
  NativeHandle noting(String what) {
    return new NativeHandle(driver, source, what, admission, versions);
  }

  @Override
  public DriverInfo info() {
    return driver.info();
  }

  @Override
  public List<DeviceSeed> seeds() {
    return driver.seeds();
  }

  @Override
  public String missing() {
    return driver.probeResult().missing();
  }

  @Override
  public OpenedDevice open(OpenRequest request) {
    if (request.standby().orElse(null) instanceof Waiting waiting) {
      return Native.of(
          waiting.loaded.open(
              request.spec(), request.epoch(), connection(request), request.lost()));
    }
    admission.run();
    return Native.of(
        driver.open(request.spec(), request.epoch(), connection(request), request.lost()));
  }

  private static CoreConnection connection(OpenRequest request) {
    return CoreConnection.of(request.attachment(), request.completions());
  }

  @Override
  public Optional<Standby> standby(DeviceSpec spec, DevicePort.Attachment attachment) {
    admission.run();
    return Optional.of(new Waiting(driver.standby(spec, CoreConnection.of(attachment))));
  }

  private record Waiting(StandbyDriver loaded) implements Standby {
    @Override
    public Optional<Long> pid() {
      return loaded.pid();
    }

    @Override
    public boolean alive() {
      return loaded.alive();
    }

    @Override
    public void onLost(Consumer<RecoveryCause> listener) {
      loaded.onLost(listener);
    }

    @Override
    public void close() {
      loaded.close();
    }
  }

  private record Native(NativeOpened opened, Optional<DriverProcess> process)
      implements OpenedDevice {
    static Native of(NativeOpened opened) {
      return new Native(opened, opened.hostPid().map(pid -> new Host(opened, pid)));
    }

    @Override
    public AccelDevice device() {
      return opened.device();
    }

    @Override
    public List<String> services() {
      return opened.services();
    }

    @Override
    public List<String> interfaces() {
      return opened.interfaces();
    }

    @Override
    public void tellLog() {
      opened.tellLog();
    }

    @Override
    public void end(boolean orderly) {
      opened.end(orderly);
    }

    @Override
    public void release() {
      opened.release();
    }
  }

  private record Host(NativeOpened opened, long pid) implements DriverProcess {
    @Override
    public boolean runsKernels() {
      return opened.runsKernelsInProcess();
    }

    @Override
    public List<String> sandbox() {
      return opened.sandbox();
    }

    @Override
    public long heartbeat() {
      return opened.heartbeat();
    }

    @Override
    public boolean requestsWait() {
      return opened.requestsWait();
    }

    @Override
    public boolean probe() {
      return opened.probe();
    }

    @Override
    public void abandon(RecoveryCause cause) {
      opened.abandon(cause);
    }

    @Override
    public void injectFault(HostFault fault) {
      opened.injectFault(fault);
    }
  }
}
