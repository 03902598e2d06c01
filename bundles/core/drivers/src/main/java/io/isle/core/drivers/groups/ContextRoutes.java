package io.isle.core.drivers.groups;

import io.isle.api.base.Ids;
import java.util.Arrays;

/**
 * Which process has a context: looked up by the index in its id. Written under this object's lock,
 * read by the agent without.
 */
final class ContextRoutes {
  private volatile Route[] routes = new Route[64];

  /**
   * Where data calls of a context go.
   *
   * @param process null when the context was taken from it
   */
  record Route(long context, HostPort process) {}

  /** False when the process is gone. */
  synchronized boolean add(long context, HostPort process) {
    if (process.isGone()) {
      return false;
    }
    int index = Ids.index(context);
    Route[] now = routes;
    if (index >= now.length) {
      now = Arrays.copyOf(now, Math.max(index + 1, 2 * now.length));
    } else {
      now = now.clone();
    }
    now[index] = new Route(context, process);
    routes = now;
    return true;
  }

  /** Removes the context, if that process has it. */
  synchronized void remove(long context, HostPort process) {
    if (of(context) == process) {
      Route[] now = routes.clone();
      now[Ids.index(context)] = null;
      routes = now;
    }
  }

  /** Removes all that a process has; it gets no more. */
  synchronized void remove(HostPort process) {
    process.leave();
    Route[] now = routes.clone();
    for (int i = 0; i < now.length; i++) {
      if (now[i] != null && now[i].process == process) {
        now[i] = null;
      }
    }
    routes = now;
  }

  /** The process that has it; null if none does. */
  HostPort of(long context) {
    Route[] now = routes;
    int index = Ids.index(context);
    Route route = index >= 0 && index < now.length ? now[index] : null;
    return route != null && route.context == context ? route.process : null;
  }

  /** How many contexts a process has. */
  int count(HostPort process) {
    int count = 0;
    for (Route route : routes) {
      count += route != null && route.process == process ? 1 : 0;
    }
    return count;
  }

  /** How many there are. */
  int count() {
    int count = 0;
    for (Route route : routes) {
      count += route == null ? 0 : 1;
    }
    return count;
  }
}
