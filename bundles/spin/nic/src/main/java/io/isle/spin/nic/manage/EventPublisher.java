package io.isle.spin.nic.manage;

import io.isle.api.spin.AbortEvent;
import io.isle.api.spin.ContextEvent;
import io.isle.api.spin.NicListener;
import io.isle.api.spin.TrapEvent;
import io.isle.lib.agent.SerialExecutor;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Tells listeners of events, each on a thread of its own, and logs changes of contexts. While so
 * many events wait that a listener must be stuck, further ones are lost for this listener.
 */
public final class EventPublisher implements NicListener, AutoCloseable {
  private static final System.Logger LOG = System.getLogger(EventPublisher.class.getName());
  private static final int WAITING = 1024;

  private final List<Told> all = new CopyOnWriteArrayList<>();

  private static final class Told {
    final NicListener listener;
    final SerialExecutor thread = new SerialExecutor("isle-spin-events");
    final AtomicInteger waiting = new AtomicInteger();

    Told(NicListener listener) {
      this.listener = listener;
    }

    void tell(Consumer<NicListener> event) {
      if (waiting.incrementAndGet() > WAITING || !thread.post(() -> deliver(event))) {
        int ignored = waiting.decrementAndGet();
      }
    }

    private void deliver(Consumer<NicListener> event) {
      int ignored = waiting.decrementAndGet();
      try {
        event.accept(listener);
      } catch (RuntimeException | Error e) {
        LOG.log(
            System.Logger.Level.WARNING,
            "the listener " + listener.getClass().getName() + " failed",
            e);
      }
    }
  }

  /** Tells a listener from now on. */
  public void add(NicListener listener) {
    all.add(new Told(listener));
  }

  /** Tells a listener no more. */
  public void remove(NicListener listener) {
    for (Told told : all) {
      if (told.listener == listener) {
        all.remove(told);
        told.thread.close();
      }
    }
  }

  private void tell(Consumer<NicListener> event) {
    all.forEach(told -> told.tell(event));
  }

  @Override
  public void onTrap(TrapEvent event) {
    tell(listener -> listener.onTrap(event));
  }

  @Override
  public void onAbort(AbortEvent event) {
    tell(listener -> listener.onAbort(event));
  }

  @Override
  public void onContext(ContextEvent event) {
    String state = event.state().text();
    LOG.log(
        event.reason().isEmpty() ? System.Logger.Level.INFO : System.Logger.Level.WARNING,
        "{0}: context {1} is {2}{3}",
        event.nic(),
        event.context(),
        state,
        event.reason().isEmpty() ? "" : ": " + event.reason());
    tell(listener -> listener.onContext(event));
  }

  @Override
  public void close() {
    all.forEach(told -> told.thread.close());
    all.clear();
  }
}
