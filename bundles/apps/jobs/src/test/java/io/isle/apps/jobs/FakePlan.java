package io.isle.apps.jobs;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What happens to a {@link FakeAccelerator} at which of its submissions, counted from 1. */
final class FakePlan {
  /** Things that happen before, after or instead of a submission's work. */
  enum Event {
    /** The driver crashes: work ends with EINTR, contents of memory are lost. */
    CRASH,
    /** It crashes when the work is done, before anybody can take the results. */
    CRASH_AFTER,
    /** The driver is replaced before the work begins: contents stay, a device's own copies end. */
    UPDATE,
    /** The submission finds its input lost. */
    LOST_INPUT,
    /** The driver stops the work at its end and says so; memory and context stay as they are. */
    STOPPED,
    /** The device is gone: contexts are lost with ENODEV. */
    GONE,
    /** The core is restarted: contexts are closed. */
    RESTART
  }

  private final Map<Integer, Event> events = new ConcurrentHashMap<>();

  FakePlan at(int submission, Event event) {
    events.put(submission, event);
    return this;
  }

  /** Null: nothing special. */
  Event take(int submission) {
    return events.remove(submission);
  }
}
