package io.isle.core.tenancy;

import io.isle.api.observe.Audit;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.CapabilitySpec;
import io.isle.api.tenancy.Permission;
import java.util.List;
import java.util.Optional;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** Publishes the table of capabilities; all are revoked when it goes. */
@Component(service = Capabilities.class)
public final class CapabilitiesComponent implements Capabilities {
  private static final int CAPACITY = 4096;

  private final CapabilityTable table = new CapabilityTable(CAPACITY);
  private final Capabilities audited = new AuditedCapabilities(table, () -> this.audit);

  @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
  private volatile Audit audit;

  @Activate
  public CapabilitiesComponent() {}

  @Deactivate
  void deactivate() {
    table.revokeAll();
  }

  @Override
  public Capability issue(CapabilitySpec spec) {
    return audited.issue(spec);
  }

  @Override
  public Capability delegate(Capability from, CapabilitySpec spec) {
    return audited.delegate(from, spec);
  }

  @Override
  public void revoke(Capability capability) {
    audited.revoke(capability);
  }

  @Override
  public void check(Capability capability, Permission permission, String device) {
    audited.check(capability, permission, device);
  }

  @Override
  public List<Capability> list() {
    return audited.list();
  }

  @Override
  public Optional<Capability> find(long id) {
    return audited.find(id);
  }
}
