package io.isle.api.tenancy;

import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Whiteboard service that hears of capabilities that were revoked, each once, on the thread that
 * revoked them and before that goes on. A listener does not block.
 */
@ConsumerType
@FunctionalInterface
public interface RevocationListener {
  /** These are not valid any more: the one that was revoked, and what was delegated from it. */
  void revoked(List<Capability> capabilities);
}
