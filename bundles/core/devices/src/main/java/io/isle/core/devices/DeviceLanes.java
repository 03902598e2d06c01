package io.isle.core.devices;

import io.isle.api.base.Errno;
import io.isle.api.device.DeviceException;
import io.isle.lib.agent.SerialExecutor;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the owners of drivers, which may block: one call of a device at a time, in order, and no
 * device waits for another. What a call throws is told, and the next one is made. Not a serial
 * executor for each device: there may be hundreds of devices, calls are rare, and a thread is there
 * only while calls are. Thread-safe.
 */
final class DeviceLanes implements DeviceCalls, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceLanes.class);
  private static final int KEEP_SECONDS = 1;

  private final SerialExecutor registry;
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          KEEP_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          Thread.ofPlatform().daemon().name("isle-device-call-", 0).factory());
  // Guarded by this: a device has an entry while a thread works for it.
  private final Map<String, Deque<Runnable>> queues = new HashMap<>();

  DeviceLanes(SerialExecutor registry) {
    this.registry = registry;
  }

  @Override
  public void call(String id, Runnable work, Consumer<RuntimeException> done) {
    enqueue(
        id,
        () -> DIRECT.call(id, work, failure -> tell(done, failure)),
        () ->
            tell(
                done,
                new DeviceException(Errno.ECLOSED, "the device tree is stopped; see bundle:list")));
  }

  /** On the registry's thread; once that has ended, nobody waits to be told. */
  private void tell(Consumer<RuntimeException> done, RuntimeException failure) {
    boolean ignored = registry.post(() -> done.accept(failure));
  }

  /** Ends when all calls about a device that were made so far are done. */
  CompletableFuture<Void> settled(String id) {
    CompletableFuture<Void> settled = new CompletableFuture<>();
    call(
        id,
        () -> {},
        failure -> {
          boolean ignored = settled.complete(null);
        });
    return settled;
  }

  /** Ends when all calls that were made so far are done. */
  CompletableFuture<Void> settled() {
    List<String> busy;
    synchronized (this) {
      busy = new ArrayList<>(queues.keySet());
    }
    return CompletableFuture.allOf(
        busy.stream().map(this::settled).toArray(CompletableFuture<?>[]::new));
  }

  private synchronized void enqueue(String id, Runnable call, Runnable refused) {
    Deque<Runnable> queue = queues.get(id);
    if (queue != null) {
      queue.add(call);
      return;
    }
    queues.put(id, new ArrayDeque<>(List.of(call)));
    boolean taken = false;
    try {
      threads.execute(() -> work(id));
      taken = true;
    } catch (RejectedExecutionException closed) {
      refused.run();
    } finally {
      if (!taken) {
        queues.remove(id);
      }
    }
  }

  private void work(String id) {
    for (Runnable next = next(id, false); next != null; next = next(id, true)) {
      try {
        next.run();
      } catch (RuntimeException | Error e) {
        LOG.error("a call for device {} failed because of a defect", id, e);
      }
    }
  }

  /** The call to make next, which stays in the queue while it is made; null ends the lane. */
  private synchronized Runnable next(String id, boolean after) {
    Deque<Runnable> queue = queues.get(id);
    if (after) {
      queue.removeFirst();
    }
    if (queue.isEmpty()) {
      queues.remove(id);
      return null;
    }
    return queue.peekFirst();
  }

  /** Waits for calls under way, at most ten seconds. */
  @Override
  public void close() {
    threads.shutdown();
    try {
      if (!threads.awaitTermination(10, TimeUnit.SECONDS)) {
        threads.shutdownNow();
      }
    } catch (InterruptedException e) {
      threads.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
