package io.isle.core.drivers.session;

import java.util.concurrent.CountDownLatch;

/** A control call of a driver that hangs: it does not react to an interrupt. */
public final class HungCall implements Runnable {
  private final CountDownLatch entered = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);

  @Override
  public void run() {
    entered.countDown();
    boolean hangs = true;
    while (hangs) {
      try {
        released.await();
        hangs = false;
      } catch (InterruptedException e) {
        // a hung driver does not react
      }
    }
  }

  /** Returns once the driver is in the call. */
  public void awaitEntered() throws InterruptedException {
    entered.await();
  }

  /** The driver returns. */
  public void release() {
    released.countDown();
  }
}
