package io.isle.apps.chaos.fault;

import io.isle.api.base.IsleException;
import io.isle.api.device.DeviceNode;
import io.isle.api.device.DeviceState;
import io.isle.api.device.DeviceTree;
import io.isle.apps.chaos.Core;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** Looks at devices until they are as they should be. Thread-safe. */
public final class Nodes {
  private static final long LOOK_MS = 5;

  private final Core core;

  public Nodes(Core core) {
    this.core = core;
  }

  /** The device as it is now; empty while it or its tree is away. */
  public Optional<DeviceNode> find(String id) {
    try {
      return core.get(DeviceTree.class).find(id);
    } catch (Core.AwayException | IllegalStateException e) {
      return Optional.empty();
    }
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
  public static boolean until(long ms, BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
    while (!holds(condition)) {
      if (System.nanoTime() - end > 0) {
        return false;
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    }
    return true;
  }

  private static boolean holds(BooleanSupplier condition) {
    try {
      return condition.getAsBoolean();
    } catch (Core.AwayException | IllegalStateException | IsleException e) {
      return false;
    }
  }
}
