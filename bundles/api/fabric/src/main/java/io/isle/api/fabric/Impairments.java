package io.isle.api.fabric;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Relays of this platform that impair the path between two nodes on purpose: for tests of rings.
 * Thread-safe.
 */
@ProviderType
public interface Impairments {
  /** All relays, by name. */
  List<ImpairmentInfo> relays();

  /** The relay with this name, if any. */
  Optional<ImpairmentInfo> find(String relay);

  /**
   * Makes a relay: writes its settings file.
   *
   * @param relay matches {@link RingNodeInfo#NAME}
   * @param settings keys of {@code io.isle.impair-NAME.cfg}
   * @throws RingException EINVAL with key and limit; EEXIST
   */
  void create(String relay, Map<String, String> settings);

  /**
   * Changes settings of a relay. Connections and held bytes stay, unless an address changes.
   *
   * @param changes key to value; a null value removes the key
   * @throws RingException ENOENT; EINVAL with key and limit
   */
  void set(String relay, Map<String, String> changes);

  /**
   * Cuts all connections of a relay for streams, by a reset.
   *
   * @throws RingException ENOENT; ENOTSUP for a relay of datagrams
   */
  void cut(String relay);

  /**
   * Removes a relay and its settings file.
   *
   * @return false without such a relay
   */
  boolean remove(String relay);
}
