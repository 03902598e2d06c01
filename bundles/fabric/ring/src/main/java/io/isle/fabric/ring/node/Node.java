package io.isle.fabric.ring.node;

import io.isle.api.fabric.HopTimes;
import io.isle.api.fabric.RingEndpoint;
import io.isle.api.fabric.RingException;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.api.fabric.RingProcess;
import io.isle.api.fabric.RingSide;
import io.isle.api.fabric.RingStage;
import io.isle.api.fabric.RingTransport;
import io.isle.api.tenancy.Capability;
import io.isle.fabric.ring.settings.NodeSettings;
import java.util.Optional;
import java.util.function.Function;

/**
 * A node of this platform, in our process or in one of its own. Changes belong to the thread of the
 * rings; other calls to any thread.
 */
public interface Node extends AutoCloseable {
  /** The settings. */
  NodeSettings settings();

  /** Whether other settings are possible without a new node. */
  default boolean canChangeTo(NodeSettings other) {
    return settings().withLinksOf(other).equals(other);
  }

  /**
   * Other settings of links.
   *
   * @param transports gives a transport by its name, or null
   */
  void change(NodeSettings to, Function<String, RingTransport> transports);

  /**
   * The settings were set again: changes of paths that were given up are tried again.
   *
   * @param transports gives a transport by its name, or null
   */
  void retry(Function<String, RingTransport> transports);

  /** A transport has come. */
  void attach(String transport, RingTransport service);

  /** A transport goes; whether the node has ports of it, which are parked. */
  boolean detach(String transport);

  /** No later version of a transport has come in time. */
  void dropParked(String transport);

  /** A stage has come, or goes: null. */
  void use(String stage, RingStage service);

  /**
   * Opens the endpoint.
   *
   * @throws RingException EPERM for another role; EBUSY; ECLOSED
   */
  RingEndpoint open(Capability capability, ControlRecord record, Runnable onClose);

  /** Capabilities were revoked: an endpoint without its right is closed for the next tenant. */
  void revoked();

  /** States of links or of the node may have changed. */
  void notifyListeners();

  /** Times of packets to the next node, if they are known. */
  Optional<HopTimes> hop();

  /** The error number of the kernel for the last failure of a link; 0 if not known. */
  int failure(RingSide side);

  /** The node as it is now. */
  RingNodeInfo info();

  /** The process of the node; empty in our process. */
  Optional<RingProcess> process();

  /** Asks the node to end, and returns at once; {@link #close} follows. */
  default void leave() {}

  @Override
  void close();
}
