package io.isle.core.drivers;

import io.isle.api.device.HostFault;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.DevicePort;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.DeviceSeed;
import io.isle.api.driver.DriverInfo;
import io.isle.core.drivers.nativecode.NativeDriver;
import io.isle.core.drivers.nativecode.NativeOpened;
import io.isle.core.drivers.nativecode.Place;
import io.isle.core.drivers.nativecode.StandbyDriver;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A native driver that a bundle brought.
 *
 * @param admission throws when its library may not be loaded; asked before each time that it is
 * @param versions keeps and finds the version to fall back on
 */
record NativeHandle(
    NativeDriver driver, String source, String note, Runnable admission, Versions versions)
    implements DriverHandle {
  /** Versions of the driver that this one is a version of. */
  interface Versions {
    /** Nothing is kept. */
    Versions NONE =
        new Versions() {
          @Override
          public void proven() {}

          @Override
          public Optional<DriverHandle> lastGood() {
            return Optional.empty();
          }

          @Override
          public Optional<DriverHandle> changed() {
            return Optional.empty();
          }
        };

    /** This version works. */
    void proven();

    /** The last other version that did, before this one. */
    Optional<DriverHandle> lastGood();

    /** As {@link DriverHandle#changed}. */
    Optional<DriverHandle> changed();
  }

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
    return driver.introduction().missing();
  }

  @Override
  public OpenedDevice open(OpenRequest request) {
    if (request.standby().orElse(null) instanceof Waiting waiting) {
      return new Native(
          waiting.loaded.open(request.spec(), request.epoch(), place(request), request.lost()));
    }
    admission.run();
    return new Native(driver.open(request.spec(), request.epoch(), place(request), request.lost()));
  }

  private static Place place(OpenRequest request) {
    return Place.of(request.plug(), request.completions());
  }

  @Override
  public Optional<Standby> standby(DeviceSpec spec, DevicePort.Plug plug) {
    admission.run();
    return Optional.of(new Waiting(driver.standby(spec, Place.of(plug))));
  }

  @Override
  public void proven() {
    versions.proven();
  }

  @Override
  public Optional<DriverHandle> lastGood() {
    return versions.lastGood();
  }

  @Override
  public Optional<DriverHandle> changed() {
    return versions.changed();
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

  private record Native(NativeOpened opened) implements OpenedDevice {
    @Override
    public AccelDevice device() {
      return opened.device();
    }

    @Override
    public Optional<Long> hostPid() {
      return opened.hostPid();
    }

    @Override
    public boolean runsKernelsInProcess() {
      return opened.runsKernelsInProcess();
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
    public List<String> sandbox() {
      return opened.sandbox();
    }

    @Override
    public void end(boolean orderly) {
      opened.end(orderly);
    }

    @Override
    public void release() {
      opened.release();
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
    public void tellLog() {
      opened.tellLog();
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
