package io.isle.api.spin;

import java.util.List;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/** The handlers of installed bundles. Thread-safe. */
@ProviderType
public interface HandlerImages {
  /** All handlers, by name. */
  List<HandlerImage> list();

  /** The handlers with a name. */
  Optional<HandlerImage> find(String name);

  /**
   * The handlers with a name.
   *
   * @throws SpinException ENOENT for a name that no bundle has; EACCES if its bundle may not bring
   *     handlers, with the reason
   */
  HandlerImage require(String name);
}
