package io.isle.core.drivers.session;

import io.isle.api.driver.DeviceSession;
import io.isle.api.driver.DeviceSessionListener;
import io.isle.api.driver.DeviceSessions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Which devices are open, and who hears of it. Thread-safe. */
public final class SessionBoard implements DeviceSessions {
  private static final Comparator<String> BY_NAME_AND_NUMBER =
      Comparator.comparing(SessionBoard::nameOf)
          .thenComparing(id -> id.length())
          .thenComparing(Comparator.naturalOrder());

  private final ServiceThreads threads;
  private final Supplier<Duration> bound;
  private final Map<String, DeviceSession> open = new TreeMap<>(BY_NAME_AND_NUMBER);
  private final Map<DeviceSessionListener, QueuedListener> listeners = new IdentityHashMap<>();

  /**
   * @param bound how long a listener that goes is waited for
   */
  public SessionBoard(ServiceThreads threads, Supplier<Duration> bound) {
    this.threads = threads;
    this.bound = bound;
  }

  private static String nameOf(String id) {
    return id.replaceAll("[0-9]+$", "");
  }

  @Override
  public synchronized List<DeviceSession> list() {
    return new ArrayList<>(open.values());
  }

  @Override
  public synchronized Optional<DeviceSession> find(String device) {
    return Optional.ofNullable(open.get(device));
  }

  public synchronized void add(DeviceSessionListener listener) {
    QueuedListener told = new QueuedListener(listener, threads);
    listeners.put(listener, told);
    open.values().forEach(told::open);
  }

  /** It is told nothing more once this returns; a call that is being made is waited for. */
  public void remove(DeviceSessionListener listener) {
    QueuedListener told;
    synchronized (this) {
      told = listeners.remove(listener);
    }
    if (told != null) {
      told.leave(bound.get());
    }
  }

  /** The device takes calls from now on; listeners are told by {@link #open}. */
  public synchronized void list(DeviceSession now) {
    open.put(now.id(), now);
  }

  /** The device can be used from now on. */
  public synchronized void open(DeviceSession now) {
    open.put(now.id(), now);
    listeners.values().forEach(listener -> listener.open(now));
  }

  /** The device is taken from its driver; another opening is to follow. */
  public synchronized void recovers(String device) {
    open.remove(device);
  }

  /** No opening of the device follows. */
  public synchronized void closed(String device) {
    open.remove(device);
    listeners.values().forEach(listener -> listener.closed(device));
  }
}
