package io.isle.core.tenancy;

import io.isle.api.observe.Audit;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.CapabilitySpec;
import io.isle.api.tenancy.Permission;
import io.isle.api.tenancy.RevocationListener;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the table of capabilities, and tells {@link RevocationListener}s of it; all are revoked
 * when it goes.
 */
@Component(service = {Capabilities.class, CapabilitiesComponent.class})
public final class CapabilitiesComponent implements Capabilities {
  private static final int CAPACITY = 4096;

  private static final Logger LOG = LoggerFactory.getLogger(CapabilitiesComponent.class);

  private final List<RevocationListener> listeners = new CopyOnWriteArrayList<>();
  private final CapabilityTable table = new CapabilityTable(CAPACITY, this::tell);
  private final Capabilities audited = new AuditedCapabilities(table, () -> this.audit);

  @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
  private volatile Audit audit;

  @Activate
  public CapabilitiesComponent() {}

  @Deactivate
  void deactivate() {
    table.revokeAll();
  }

  void add(RevocationListener listener) {
    listeners.add(listener);
  }

  void remove(RevocationListener listener) {
    listeners.remove(listener);
  }

  private void tell(List<Capability> revoked) {
    for (RevocationListener listener : listeners) {
      try {
        listener.revoked(revoked);
      } catch (RuntimeException | LinkageError e) {
        LOG.warn("capability listener {} failed on a revocation", listener.getClass().getName(), e);
      }
    }
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
