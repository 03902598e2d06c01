package io.isle.core.devices;

import io.isle.api.base.ConfigFiles;
import io.isle.api.device.DeviceListener;
import io.isle.api.device.DeviceTree;
import io.isle.api.driver.DeviceRegistry;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import org.osgi.service.cm.ConfigurationAdmin;
import org.osgi.service.cm.ConfigurationEvent;
import org.osgi.service.cm.ConfigurationListener;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/**
 * Offers the device tree. Settings are read from Config Admin at each of its events, not taken from
 * a configured component: a bad value must be refused while the last good ones stay in force.
 */
@Component(
    service = {
      DeviceRegistry.class,
      DeviceTree.class,
      DevicesComponent.class,
      ConfigurationListener.class
    })
public final class DevicesComponent extends Devices implements ConfigurationListener {
  @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
  private volatile Audit audit;

  @Activate
  public DevicesComponent(@Reference ConfigFiles files, @Reference ConfigurationAdmin admin) {
    super(files, new ConfigAdminFiles(admin));
    filesChanged();
  }

  @Override
  void edited(AuditEvent event) {
    Audit book = audit;
    if (book != null) {
      book.record(event);
    }
  }

  @Deactivate
  void deactivate() {
    close();
  }

  @Reference(
      cardinality = ReferenceCardinality.MULTIPLE,
      policy = ReferencePolicy.DYNAMIC,
      unbind = "removeListener")
  void addListener(DeviceListener listener) {
    add(listener);
  }

  void removeListener(DeviceListener listener) {
    remove(listener);
  }

  @Override
  public void configurationEvent(ConfigurationEvent event) {
    if (FACTORY_PID.equals(event.getFactoryPid())) {
      filesChanged();
    }
  }
}
