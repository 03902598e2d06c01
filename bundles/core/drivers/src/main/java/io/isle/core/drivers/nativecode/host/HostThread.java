package io.isle.core.drivers.nativecode.host;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * The thread of one driver host. It starts the process and stays until that has ended: the kernel
 * kills a host when the thread that started it ends, so this must be nobody else's thread. When the
 * platform ends, however that comes about, all of its threads do.
 */
final class HostThread {
  private final CompletableFuture<Process> process = new CompletableFuture<>();
  private final CompletableFuture<Runnable> watch = new CompletableFuture<>();
  private final Thread thread;

  private HostThread(ProcessBuilder builder) {
    thread = Thread.ofPlatform().daemon().name("isle-host").start(() -> run(builder));
  }

  /**
   * Starts a process on a thread of its own.
   *
   * @throws IOException when it cannot be started
   */
  static HostThread start(ProcessBuilder builder) throws IOException {
    HostThread started = new HostThread(builder);
    try {
      var ignored = started.process.join();
    } catch (CompletionException e) {
      switch (e.getCause()) {
        case IOException reason -> throw reason;
        case RuntimeException reason -> throw reason;
        case Error reason -> throw reason;
        default -> throw e;
      }
    }
    return started;
  }

  private void run(ProcessBuilder builder) {
    try {
      Process started = builder.start();
      Thread.currentThread().setName("isle-host-" + started.pid());
      process.complete(started);
    } catch (Throwable e) {
      process.completeExceptionally(e);
      return;
    }
    watch.join().run();
  }

  Process process() {
    return process.join();
  }

  /** What it does from now on, once; it ends when that returns, and the process with it. */
  void watch(Runnable action) {
    watch.complete(action);
  }

  /** Waits for the end of the thread, whatever happens meanwhile. */
  void join() {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        // its waits are bounded, and what it uses may not be closed under it
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
