package io.isle.spin.nic.engine;

import io.isle.api.spin.HostReply;
import io.isle.api.spin.HostRequestHandler;
import io.isle.lib.kabi.SpinStructs;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** Requests of handlers to the host, for those who answer. Thread-safe. */
public final class HostCalls {
  private static final System.Logger LOG = System.getLogger(HostCalls.class.getName());

  private final String name;
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicIntegerArray lengths = new AtomicIntegerArray(SpinStructs.HPUS);
  private volatile HostReply reply;
  private volatile Listener listener;

  /** Whom each request is passed on to; of each HPU, one call at most waits for its turn. */
  private static final class Listener {
    private final Executor executor;
    private final Runnable[] calls = new Runnable[SpinStructs.HPUS];
    private final AtomicInteger called = new AtomicInteger();

    Listener(HostRequestHandler handler, Executor executor, AtomicIntegerArray lengths) {
      this.executor = executor;
      for (int i = 0; i < calls.length; i++) {
        int hpu = i;
        calls[i] =
            () -> {
              clear(hpu);
              handler.request(hpu, lengths.get(hpu));
            };
      }
    }

    private void clear(int hpu) {
      int ignored = called.getAndAccumulate(~(1 << hpu), (a, b) -> a & b);
    }

    /** HPUs may ask without end: a call that has not begun sees the newest request. */
    void call(int hpu) {
      int bit = 1 << hpu;
      if ((called.getAndAccumulate(bit, (a, b) -> a | b) & bit) != 0) {
        return;
      }
      boolean taken = false;
      try {
        executor.execute(calls[hpu]);
        taken = true;
      } finally {
        if (!taken) {
          clear(hpu);
        }
      }
    }
  }

  HostCalls(String name, HostReply reply) {
    this.name = name;
    this.reply = reply;
  }

  public void reply(HostReply other) {
    reply = other;
  }

  public void listen(HostRequestHandler handler, Executor executor) {
    listener = handler == null ? null : new Listener(handler, executor, lengths);
  }

  /**
   * A handler asks. Allocates nothing.
   *
   * @return whether the payload is the answer
   */
  boolean requested(int hpu, int length) {
    lengths.set(hpu, length);
    Listener to = listener;
    if (to != null) {
      try {
        to.call(hpu);
      } catch (RuntimeException | Error e) {
        LOG.log(System.Logger.Level.WARNING, name + ": a listener takes no request", e);
      }
      return false;
    }
    if (reply == HostReply.ECHO) {
      return true;
    }
    int ignored = waiting.accumulateAndGet(1 << hpu, (a, b) -> a | b);
    return false;
  }

  /** Nobody waits any more. */
  void ended(int hpu) {
    if ((waiting.get() >>> hpu & 1) != 0) {
      int ignored = waiting.accumulateAndGet(~(1 << hpu), (a, b) -> a & b);
    }
  }

  public int poll(HostRequestHandler handler, int limit) {
    int count = 0;
    for (int hpu = 0; hpu < SpinStructs.HPUS && count < limit; hpu++) {
      int bit = 1 << hpu;
      if ((waiting.get() & bit) != 0 && (waiting.getAndUpdate(all -> all & ~bit) & bit) != 0) {
        handler.request(hpu, lengths.get(hpu));
        count++;
      }
    }
    return count;
  }
}
