package io.isle.fabric.ring.node;

import io.isle.api.fabric.RingListener;
import io.isle.api.fabric.RingNodeInfo;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/** The listeners of a tenant. Thread-safe. */
final class NodeListeners {
  private static final System.Logger LOG = System.getLogger(NodeListeners.class.getName());

  private final String node;
  private final List<RingListener> listeners = new CopyOnWriteArrayList<>();

  NodeListeners(String node) {
    this.node = node;
  }

  void add(RingListener listener) {
    listeners.add(listener);
  }

  void clear() {
    listeners.clear();
  }

  /** Calls all listeners; one that fails is logged. */
  void changed(Supplier<RingNodeInfo> now) {
    if (!listeners.isEmpty()) {
      RingNodeInfo info = now.get();
      listeners.forEach(listener -> guarded(listener, info));
    }
  }

  private void guarded(RingListener listener, RingNodeInfo info) {
    try {
      listener.changed(info);
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "ring node " + node + ": a listener failed", e);
    }
  }
}
