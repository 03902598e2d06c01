package io.isle.core.tenancy;

import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.CapabilitySpec;
import io.isle.api.tenancy.Permission;
import java.util.List;
import java.util.Optional;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;

/** Publishes the table of capabilities; all are revoked when it goes. */
@Component(service = Capabilities.class)
public final class CapabilitiesComponent implements Capabilities {
  private static final int CAPACITY = 4096;

  private final CapabilityTable table = new CapabilityTable(CAPACITY);

  @Activate
  public CapabilitiesComponent() {}

  @Deactivate
  void deactivate() {
    table.revokeAll();
  }

  @Override
  public Capability issue(CapabilitySpec spec) {
    return table.issue(spec);
  }

  @Override
  public Capability delegate(Capability from, CapabilitySpec spec) {
    return table.delegate(from, spec);
  }

  @Override
  public void revoke(Capability capability) {
    table.revoke(capability);
  }

  @Override
  public void check(Capability capability, Permission permission, String device) {
    table.check(capability, permission, device);
  }

  @Override
  public List<Capability> list() {
    return table.list();
  }

  @Override
  public Optional<Capability> find(long id) {
    return table.find(id);
  }
}
