package io.isle.api.tenancy;

import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Whiteboard service that is notified of revoked capabilities, once each, on the revoking thread
 * and before the return of the revocation. Implementations must not block.
 */
@ConsumerType
@FunctionalInterface
public interface RevocationListener {
  /** These capabilities are no longer valid: the revoked capability and its delegations. */
  void revoked(List<Capability> capabilities);
}
