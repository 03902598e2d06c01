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
   * Makes several nodes, all or none: writes their settings files.
   *
   * @param nodes keys of {@code io.isle.ring-NAME.cfg} by name of the node
   * @throws RingException EINVAL with node, key and limit; EEXIST; no file is left behind
   */
  void create(Map<String, Map<String, String>> nodes);

  /**
   * Changes settings of several nodes, all or none.
   *
   * @param changes key to value by name of the node; a null value removes the key
   * @throws RingException ENOENT; EINVAL with node, key and limit; no file is changed
   */
  void set(Map<String, Map<String, String>> changes);

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

  /** All keys of the settings file of a node. */
  List<String> keys();

  /** Names of the installed transports, sorted. */
  List<String> transports();

  /**
   * Looks for what keeps packets from their way, without a connection of its own: a neighbour
   * notices nothing.
   *
   * @throws RingException ENOENT
   */
  List<RingFinding> check(String node);

  /** Times of packets from a node to its next node, if its dialect measures them. */
  Optional<HopTimes> hop(String node);

  /** The process of a node that has one of its own; empty for a node in the platform's process. */
  Optional<RingProcess> process(String node);

  /** Counters of all nodes of this platform, by ring, node, side and name. */
  List<RingCounter> counters();
}
