package io.isle.inference.engine;

import io.isle.api.inference.DecisionPoint;
import io.isle.inference.engine.decide.DecisionSlot;
import io.isle.inference.engine.slot.ModelSlot;
import io.isle.lib.agent.SerialExecutor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;

/** Owners of decisions, which come and go one after the other. Thread-safe. */
final class Owners implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Owners.class.getName());
  private static final long LEAVE_S = 5;

  private final SerialExecutor executor;
  private final Function<String, ModelSlot> slots;
  private final JobModels jobs;
  private final List<Consumer<ModelSlot>> whenAttached = new CopyOnWriteArrayList<>();

  /** Of the executor. */
  private final Map<DecisionPoint, ModelSlot> attached = new HashMap<>();

  /**
   * @param slots the slot of a decision by its name, made when needed
   */
  Owners(SerialExecutor executor, Function<String, ModelSlot> slots, JobModels jobs) {
    this.executor = executor;
    this.slots = slots;
    this.jobs = jobs;
  }

  /** Calls back when an owner has come, after its models are in place. */
  void whenAttached(Consumer<ModelSlot> listener) {
    whenAttached.add(listener);
  }

  /** An owner comes. */
  void added(DecisionPoint point) {
    boolean ignored = executor.post(() -> attach(point));
  }

  private void attach(DecisionPoint point) {
    ModelSlot slot = slots.apply(point.spec().name());
    if (slot.isAttached()) {
      LOG.log(
          System.Logger.Level.ERROR,
          "the decision {0} has an owner already; {1} is ignored",
          slot.name(),
          point.getClass().getName());
      return;
    }
    attached.put(point, slot);
    DecisionSlot deciders = slot.attach(point);
    jobs.resume(slot);
    point.bind(deciders);
    whenAttached.forEach(listener -> listener.accept(slot));
  }

  /** An owner goes: on return it has no decider in use, or its time is over. */
  void removed(DecisionPoint point) {
    Future<?> done = executor.submit(() -> detach(point));
    try {
      done.get(LEAVE_S, TimeUnit.SECONDS);
    } catch (CancellationException e) {
      // the engine has gone before, and all owners with it
    } catch (TimeoutException e) {
      LOG.log(System.Logger.Level.WARNING, "a decision's owner did not let go in time");
    } catch (ExecutionException e) {
      LOG.log(System.Logger.Level.ERROR, "a decision's owner failed to let go", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Void detach(DecisionPoint point) {
    ModelSlot slot = attached.remove(point);
    if (slot != null) {
      Unbinding.of(point);
      slot.detach();
    }
    return null;
  }

  /** All of them go. */
  @Override
  public void close() {
    Future<?> left =
        executor.submit(
            () -> {
              new ArrayList<>(attached.keySet()).forEach(this::detach);
              return null;
            });
    try {
      left.get(2 * LEAVE_S, TimeUnit.SECONDS);
    } catch (TimeoutException | ExecutionException e) {
      LOG.log(System.Logger.Level.WARNING, "owners of decisions did not let go in time", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
