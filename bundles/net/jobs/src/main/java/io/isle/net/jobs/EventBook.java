package io.isle.net.jobs;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.osgi.service.component.annotations.Component;

/**
 * The nets of running jobs, and what happened to each: where steps and the set-up meet.
 * Thread-safe.
 */
@Component(service = EventBook.class)
public final class EventBook {
  private final Map<String, List<Event>> nets = new ConcurrentHashMap<>();

  /** A job makes a net. */
  void begin(String net) {
    nets.put(net, new CopyOnWriteArrayList<>());
  }

  /** A job removes a net. */
  void forget(String net) {
    nets.remove(net);
  }

  /** The nets, in no order. */
  Set<String> nets() {
    return Set.copyOf(nets.keySet());
  }

  boolean has(String net) {
    return nets.containsKey(net);
  }

  /** Events of a net, oldest first; grows as further ones begin. */
  List<Event> events(String net) {
    return nets.getOrDefault(net, List.of());
  }

  /** An event of one net. */
  void add(String net, Event event) {
    List<Event> events = nets.get(net);
    if (events != null) {
      events.add(event);
    }
  }

  /** An event of all nets. */
  void addToAll(Event event) {
    nets.values().forEach(events -> events.add(event));
  }
}
