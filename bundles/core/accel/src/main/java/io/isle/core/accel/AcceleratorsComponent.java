package io.isle.core.accel;

import io.isle.api.accel.Accelerator;
import io.isle.api.accel.AcceleratorInfo;
import io.isle.api.accel.Accelerators;
import io.isle.api.accel.DeviceQuery;
import io.isle.api.accel.GroupUsage;
import io.isle.api.accel.HostTimeline;
import io.isle.api.device.DeviceTree;
import io.isle.api.tenancy.Capability;
import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ServiceScope;

/** Publishes {@link Accelerators}, one object a using bundle. */
@Component(service = Accelerators.class, scope = ServiceScope.BUNDLE)
public final class AcceleratorsComponent implements Accelerators {
  private final BundleView view;

  @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
  private volatile DeviceTree tree;

  @Activate
  public AcceleratorsComponent(@Reference AccelComponent accel) {
    view = new BundleView(accel.core(), () -> tree);
  }

  @Deactivate
  void deactivate() {
    view.close();
  }

  @Override
  public List<AcceleratorInfo> list() {
    return view.list();
  }

  @Override
  public Accelerator find(DeviceQuery query) {
    return view.find(query);
  }

  @Override
  public List<GroupUsage> usage(Capability capability, String group) {
    return view.usage(capability, group);
  }

  @Override
  public HostTimeline hostTimeline(Capability capability, String name) {
    return view.hostTimeline(capability, name);
  }
}
