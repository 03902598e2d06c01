package io.isle.core.drivers.session;

import java.util.concurrent.CountDownLatch;

/** A call into code that hangs: it returns when the test says so, and not for an interrupt. */
public final class HungCall implements Runnable {
  private final CountDownLatch entered = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);
  private final Runnable onInterrupt;

  public HungCall() {
    this(() -> {});
  }

  /**
   * @param onInterrupt called for each interrupt
   */
  public HungCall(Runnable onInterrupt) {
    this.onInterrupt = onInterrupt;
  }

  @Override
  public void run() {
    entered.countDown();
    boolean hangs = true;
    while (hangs) {
      try {
        released.await();
        hangs = false;
      } catch (InterruptedException e) {
        onInterrupt.run();
      }
    }
  }

  /** Returns once the call is being made. */
  public void awaitEntered() throws InterruptedException {
    entered.await();
  }

  /** The call returns; the next one does so at once. */
  public void release() {
    released.countDown();
  }
}
