package io.isle.api.jobs;

import java.util.List;
import java.util.Locale;

/**
 * How a step of a job ran. Times are in nanoseconds; those of pieces that overlap are summed, so
 * that a part may be longer than the whole.
 *
 * @param priority of its stream
 * @param startNs when it began, since the job's start
 * @param elapsedNs wall time
 * @param pieces pieces of work that were done
 * @param bytes input that was worked through
 * @param buildNs loading of its program, with a build where one was needed
 * @param queueNs from submission to the device's start
 * @param transferNs copying to and from device memory
 * @param computeNs from the device's start to its end
 * @param spans the same over time, since the job's start; neighbours are merged where there are
 *     many; empty in the history
 */
public record StepTimes(
    String stream,
    String step,
    String device,
    String priority,
    long startNs,
    long elapsedNs,
    long pieces,
    long bytes,
    long buildNs,
    long queueNs,
    long transferNs,
    long computeNs,
    List<Span> spans) {
  public StepTimes {
    spans = List.copyOf(spans);
  }

  /** These, without what is over time. */
  public StepTimes withoutSpans() {
    return new StepTimes(
        stream,
        step,
        device,
        priority,
        startNs,
        elapsedNs,
        pieces,
        bytes,
        buildNs,
        queueNs,
        transferNs,
        computeNs,
        List.of());
  }

  /** A part of the time. */
  public record Span(Kind kind, long startNs, long endNs) {}

  /** What a span is. */
  public enum Kind {
    BUILD,
    QUEUE,
    TRANSFER,
    COMPUTE;

    /** Lower case, as in JSON. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
