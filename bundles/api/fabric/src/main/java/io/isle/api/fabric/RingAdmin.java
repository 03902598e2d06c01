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
   * Makes a ring on this machine, all of it or nothing: writes the settings files of its nodes,
   * with free ports of the loopback interface, or with names.
   *
   * @return names of the nodes in the order of the ring, the master first
   * @throws RingException EINVAL with the wrong key and its limit, and without the transport;
   *     EEXIST; no file is left behind
   */
  List<String> create(RingPlan plan);

  /**
   * Moves the links of a ring, or the link from a node to its next node, to another transport, and
   * waits until they have new paths, at most six seconds. The nodes at both ends of these links
   * have to be on this platform.
   *
   * @param name name of a ring or of a node
   * @param transport name of an installed transport
   * @return names of the changed nodes, sorted; empty if all these links use the transport
   * @throws RingException ENOENT without such a ring, node or next node; EINVAL without the
   *     transport; no file is changed. ETIMEDOUT if a path does not come up: packets stay on the
   *     old one
   * @throws InterruptedException if the wait is interrupted; the links go on moving
   */
  List<String> move(String name, String transport) throws InterruptedException;

  /**
   * Waits until packets can leave all these nodes, or one of them fails.
   *
   * @param nodes names of nodes
   * @param timeoutNs longest wait in nanoseconds
   * @return the nodes after the wait, see {@link RingNodeInfo#isReady}
   */
  List<RingNodeInfo> await(List<String> nodes, long timeoutNs) throws InterruptedException;

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
