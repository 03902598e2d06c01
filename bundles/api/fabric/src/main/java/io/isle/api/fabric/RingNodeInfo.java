package io.isle.api.fabric;

import java.util.Optional;

/**
 * A node of this platform. Immutable.
 *
 * @param name {@link #NAME}
 * @param ring name of its ring
 * @param role its task
 * @param state its state
 * @param reason the failure and its remedy, in words; empty without one
 * @param packetBytes bytes of each packet
 * @param layers layers of the model; 0: not known
 * @param range layers of a worker; empty for other roles
 * @param stage name of the stage of a worker; empty for other roles
 * @param prev link to the previous node
 * @param next link to the next node
 * @param position position of the next packet of {@code ring:drive}, for masters; else 0
 * @param dropped packets that ended here: without a requested reply at a tail or a master
 * @param resizes applied control messages
 * @param health what the node knows of all nodes of its ring
 */
public record RingNodeInfo(
    String name,
    String ring,
    RingRole role,
    NodeState state,
    String reason,
    int packetBytes,
    int layers,
    Optional<LayerRange> range,
    Optional<String> stage,
    LinkInfo prev,
    LinkInfo next,
    int position,
    long dropped,
    long resizes,
    RingHealth health) {
  /** Pattern of names of nodes, rings and stages. */
  public static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,31}";

  /**
   * Whether packets can leave the node. Of dialect leap, a node knows its previous node only from
   * the first packet on, and listens until then.
   */
  public boolean isReady() {
    boolean accepts = prev.state() == PortState.UP || prev.state() == PortState.LISTENING;
    return state == NodeState.RUNNING
        || state == NodeState.WAITING && next.state() == PortState.UP && accepts;
  }

  /** Why packets do not travel, as far as the node knows: its reason, and its links in words. */
  public String links() {
    return (reason.isEmpty() ? "" : reason + "; ") + next.text() + "; " + prev.text();
  }

  /** A copy with other knowledge of the nodes of its ring. */
  public RingNodeInfo with(RingHealth other) {
    return new RingNodeInfo(
        name,
        ring,
        role,
        state,
        reason,
        packetBytes,
        layers,
        range,
        stage,
        prev,
        next,
        position,
        dropped,
        resizes,
        other);
  }

  /** A node that knows nothing of the other nodes of its ring. */
  public RingNodeInfo(
      String name,
      String ring,
      RingRole role,
      NodeState state,
      String reason,
      int packetBytes,
      int layers,
      Optional<LayerRange> range,
      Optional<String> stage,
      LinkInfo prev,
      LinkInfo next,
      int position,
      long dropped,
      long resizes) {
    this(
        name,
        ring,
        role,
        state,
        reason,
        packetBytes,
        layers,
        range,
        stage,
        prev,
        next,
        position,
        dropped,
        resizes,
        RingHealth.NONE);
  }
}
