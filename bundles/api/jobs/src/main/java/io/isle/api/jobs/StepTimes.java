package io.isle.api.jobs;

import java.util.List;
import java.util.Locale;

/**
 * Times of a step of a job, in nanoseconds. Times of overlapping pieces are summed, so a part may
 * be longer than the whole. Immutable.
 *
 * @param stream name of the stream
 * @param step name of the step
 * @param device id of the device
 * @param priority priority of the stream
 * @param startNs begin, since the job's begin
 * @param elapsedNs wall time
 * @param pieces finished pieces of work
 * @param bytes processed input
 * @param buildNs time to load the program, including a build
 * @param queueNs time from submission to start on the device
 * @param transferNs time of copies to and from device memory
 * @param computeNs time from start to end on the device
 * @param putBackBytes bytes of inputs that a kernel may have changed, copied anew for their next
 *     use
 * @param spans the same times as intervals since the job's begin; with many intervals, neighbours
 *     are merged; empty in the history
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
    long putBackBytes,
    List<Span> spans) {
  public StepTimes {
    spans = List.copyOf(spans);
  }

  /** A copy without spans. */
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
        putBackBytes,
        List.of());
  }

  /**
   * An interval of a step.
   *
   * @param kind kind of interval
   * @param startNs begin, since the job's begin
   * @param endNs end, since the job's begin
   */
  public record Span(Kind kind, long startNs, long endNs) {}

  /** Kinds of intervals. */
  public enum Kind {
    /** Loading of the program. */
    BUILD,
    /** Waiting for the device. */
    QUEUE,
    /** Copies to and from device memory. */
    TRANSFER,
    COMPUTE;

    /** Lower case, as in JSON. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
