package io.isle.core.tenancy;

import io.isle.api.tenancy.RevocationListener;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/**
 * Binds who hears of revocations. A component apart from {@link CapabilitiesComponent}, which
 * listeners may depend on.
 */
@Component(service = {})
public final class RevocationListeners {
  private final CapabilitiesComponent capabilities;

  @Activate
  public RevocationListeners(@Reference CapabilitiesComponent capabilities) {
    this.capabilities = capabilities;
  }

  @Reference(
      cardinality = ReferenceCardinality.MULTIPLE,
      policy = ReferencePolicy.DYNAMIC,
      unbind = "removeListener")
  void addListener(RevocationListener listener) {
    capabilities.add(listener);
  }

  void removeListener(RevocationListener listener) {
    capabilities.remove(listener);
  }
}
