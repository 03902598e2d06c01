package io.isle.core.accel;

import io.isle.core.accel.queue.Notifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingStream;

/**
 * Watches whether completion listeners block the platform's notifiers: a flight recording of the
 * JVM's events of threads that sleep, wait, or do input and output. What loads a class does not
 * count.
 */
final class BlockedListeners implements AutoCloseable {
  private static final List<String> EVENTS =
      List.of(
          "jdk.ThreadPark",
          "jdk.ThreadSleep",
          "jdk.JavaMonitorEnter",
          "jdk.JavaMonitorWait",
          "jdk.SocketRead",
          "jdk.SocketWrite",
          "jdk.FileRead",
          "jdk.FileWrite",
          "jdk.FileForce");

  private static final String NOTIFIERS = "isle-notifier";
  private static final String DELIVERY = Notifier.class.getName() + "$Delivery";

  private final RecordingStream stream = new RecordingStream();
  private final Queue<String> found = new ConcurrentLinkedQueue<>();

  BlockedListeners() {
    for (String event : EVENTS) {
      var ignored =
          stream
              .enable(event)
              .withThreshold(Duration.ZERO)
              .withStackTrace()
              .with("throttle", "off");
      stream.onEvent(event, this::look);
    }
    stream.startAsync();
  }

  private void look(RecordedEvent event) {
    if (event.getThread() != null
        && String.valueOf(event.getThread().getJavaName()).startsWith(NOTIFIERS)
        && event.getStackTrace() != null) {
      listener(event.getStackTrace().getFrames())
          .ifPresent(frame -> found.add(event.getEventType().getName() + " in " + text(frame)));
    }
  }

  /** The frame of a listener, which {@link Notifier} called; empty if there is none. */
  private static Optional<RecordedFrame> listener(List<RecordedFrame> frames) {
    RecordedFrame called = null;
    for (RecordedFrame frame : frames) {
      String type = frame.getMethod().getType().getName();
      if (type.startsWith("java.lang.ClassLoader") || type.startsWith("jdk.internal.loader.")) {
        return Optional.empty();
      }
      if (type.equals(DELIVERY)) {
        return Optional.ofNullable(called);
      }
      if (!type.contains("$$Lambda")) {
        called = frame;
      }
    }
    return Optional.empty();
  }

  private static String text(RecordedFrame frame) {
    return frame.getMethod().getType().getName()
        + "."
        + frame.getMethod().getName()
        + ":"
        + frame.getLineNumber();
  }

  /** Ends watching; returns event and frame of each listener that blocked, each once. */
  List<String> stop() {
    // returns when all events until now were looked at
    var ignored = stream.stop();
    return new ArrayList<>(found.stream().distinct().toList());
  }

  @Override
  public void close() {
    stream.close();
  }
}
