package io.isle.core.devices;

import io.isle.api.device.DeviceEvent;
import io.isle.api.device.DeviceListener;
import io.isle.lib.agent.SerialExecutor;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells listeners of changes, in order, on a thread of its own. What one throws is logged, and the
 * others are told.
 */
final class Listeners implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Listeners.class);

  private final List<DeviceListener> listeners = new CopyOnWriteArrayList<>();
  private final SerialExecutor thread = new SerialExecutor("isle-device-events");

  void add(DeviceListener listener) {
    listeners.add(listener);
  }

  void remove(DeviceListener listener) {
    listeners.remove(listener);
  }

  void tell(DeviceEvent event) {
    boolean ignored = thread.post(() -> listeners.forEach(listener -> tell(listener, event)));
  }

  private static void tell(DeviceListener listener, DeviceEvent event) {
    try {
      listener.onEvent(event);
    } catch (RuntimeException | Error e) {
      LOG.warn("device listener {} failed on {}", listener.getClass().getName(), event, e);
    }
  }

  @Override
  public void close() {
    thread.close();
  }
}
