package io.isle.core.devices;

import io.isle.api.device.DeviceAdmin;
import io.isle.api.device.HostFault;
import io.isle.api.observe.Audit;
import java.util.Map;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** Offers {@link DeviceAdmin}; what is asked of it is written down while there is a book. */
@Component(service = DeviceAdmin.class)
public final class DeviceAdminComponent implements DeviceAdmin {
  private final DeviceAdmin audited;

  @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
  private volatile Audit audit;

  @Activate
  public DeviceAdminComponent(@Reference DevicesComponent devices) {
    audited = new AuditedDeviceAdmin(devices, () -> audit);
  }

  @Override
  public void configure(String id, Map<String, String> changes) {
    audited.configure(id, changes);
  }

  @Override
  public void reload(String id) {
    audited.reload(id);
  }

  @Override
  public void reset(String id) {
    audited.reset(id);
  }

  @Override
  public void suspend(String id) {
    audited.suspend(id);
  }

  @Override
  public void resume(String id) {
    audited.resume(id);
  }

  @Override
  public void injectFault(String id, HostFault fault) {
    audited.injectFault(id, fault);
  }

  @Override
  public void injectFault(String id, String group, HostFault fault) {
    audited.injectFault(id, group, fault);
  }
}
