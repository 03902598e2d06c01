package io.isle.apps.jobs.measure;

import io.isle.api.accel.Estimate;
import io.isle.apps.jobs.spec.JobParser;
import java.util.Map;

/** How far off estimates of a job's submissions were, over all its contexts. Thread-safe. */
public final class EstimateErrors {
  private long answered;
  private double model;
  private double average;

  /** Of contexts without answers. */
  private long others;

  private double otherAverage;

  /** A context ends. */
  public synchronized void add(Estimate context) {
    if (context.answered() > 0) {
      answered += context.answered();
      model += context.modelError() * context.answered();
      average += context.averageError() * context.answered();
    } else if (context.ended() > 0) {
      others += context.ended();
      otherAverage += context.averageError() * context.ended();
    }
  }

  /** What is unknown is no number. */
  public synchronized void put(Map<String, Double> values) {
    values.put(JobParser.MODEL_ERROR, model / answered);
    values.put(JobParser.AVERAGE_ERROR, answered > 0 ? average / answered : otherAverage / others);
  }
}
