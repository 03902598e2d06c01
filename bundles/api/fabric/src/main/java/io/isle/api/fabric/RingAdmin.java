package io.isle.api.fabric;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/** The administrator's view of the nodes of this platform. Thread-safe. */
@ProviderType
public interface RingAdmin {
  /** All nodes, by ring, then by their order in the ring as far as known, then by name. */
  List<RingNodeInfo> nodes();

  /** The node with this name, if any. */
  Optional<RingNodeInfo> find(String node);

  /**
   * Makes a node: writes its settings file.
   *
   * @param settings keys of {@code io.isle.ring-NAME.cfg}
   * @throws RingException EINVAL with key and limit; EEXIST
   */
  void create(String node, Map<String, String> settings);

  /**
   * Changes settings of a node.
   *
   * @param changes key to value; a null value removes the key
   * @throws RingException ENOENT; EINVAL with key and limit
   */
  void set(String node, Map<String, String> changes);

  /**
   * Removes a node and its settings file.
   *
   * @return false without such a node
   */
  boolean remove(String node);
}
