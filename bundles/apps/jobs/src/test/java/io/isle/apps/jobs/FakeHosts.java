package io.isle.apps.jobs;

import io.isle.api.base.Errno;
import io.isle.api.device.DeviceAdmin;
import io.isle.api.device.DeviceException;
import io.isle.api.device.HostFault;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Processes of drivers, to be harmed; nothing else is asked of them. */
final class FakeHosts implements DeviceAdmin {
  final List<HostFault> faults = new ArrayList<>();

  /** What becomes of a device whose process is harmed; null while no device has one. */
  volatile Consumer<HostFault> onFault;

  @Override
  public void injectFault(String id, HostFault fault) {
    if (onFault == null) {
      throw new DeviceException(Errno.ENOTSUP, id + " has no process");
    }
    faults.add(fault);
    onFault.accept(fault);
  }

  @Override
  public void injectFault(String id, String group, HostFault fault) {
    throw new DeviceException(Errno.ENOENT, "group " + group + " has no process of its own");
  }

  @Override
  public void configure(String id, Map<String, String> changes) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void reload(String id) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void reset(String id) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void suspend(String id) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void resume(String id) {
    throw new UnsupportedOperationException();
  }
}
