package io.isle.api.spin;

import java.util.List;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/** The programmable network interfaces of this node. Thread-safe. */
@ProviderType
public interface Nics {
  /** All interfaces, by name. */
  List<Nic> list();

  /** The interface with a name. */
  Optional<Nic> find(String name);
}
