package io.isle.api.spin;

import org.osgi.annotation.versioning.ProviderType;

/** An interface that no settings describe. Thread-safe. */
@ProviderType
public interface TemporaryNic extends AutoCloseable {
  /** Its name, for {@link Nics#find}. */
  String name();

  /** Ends its contexts and the interface. Idempotent. */
  @Override
  void close();
}
