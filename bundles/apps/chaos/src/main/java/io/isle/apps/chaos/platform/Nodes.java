package io.isle.apps.chaos.platform;

import io.isle.api.base.IsleException;
import io.isle.api.device.DeviceNode;
import io.isle.api.device.DeviceState;
import io.isle.api.device.DeviceTree;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** Looks at devices until they are as they should be. Thread-safe. */
public final class Nodes {
  private final Core core;
  private final Pace pace;

  public Nodes(Core core, Pace pace) {
    this.core = core;
    this.pace = pace;
  }

  /** The device as it is now; empty while it or its tree is away. */
  public Optional<DeviceNode> find(String id) {
    try {
      return core.get(DeviceTree.class).find(id);
    } catch (Core.AwayException | IllegalStateException e) {
      return Optional.empty();
    }
  }

  /** How often the device was opened; 0 while it or its tree is away. */
  public int epoch(String id) {
    return find(id).map(DeviceNode::epoch).orElse(0);
  }

  /** Waits until the device is there and {@code condition} holds; false when it does not. */
  public boolean await(String id, long ms, Predicate<DeviceNode> condition)
      throws InterruptedException {
    return until(ms, () -> find(id).filter(condition).isPresent());
  }

  public boolean awaitActive(String id, long ms) throws InterruptedException {
    return await(id, ms, node -> node.state() == DeviceState.ACTIVE);
  }

  /** Waits until {@code condition} holds; a service that is away counts as not yet. */
  public boolean until(long ms, BooleanSupplier condition) throws InterruptedException {
    return pace.until(ms, () -> holds(condition));
  }

  private static boolean holds(BooleanSupplier condition) {
    try {
      return condition.getAsBoolean();
    } catch (Core.AwayException | IllegalStateException | IsleException e) {
      return false;
    }
  }
}
