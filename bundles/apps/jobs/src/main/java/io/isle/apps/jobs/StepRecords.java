package io.isle.apps.jobs;

import io.isle.api.jobs.StepTimes;
import java.util.ArrayList;
import java.util.List;

/** The steps of a job in the history's file: a row of texts and numbers each. */
final class StepRecords {
  private StepRecords() {}

  static List<Object> row(StepTimes step) {
    return List.of(
        step.stream(),
        step.step(),
        step.device(),
        step.priority(),
        step.startNs(),
        step.elapsedNs(),
        step.pieces(),
        step.bytes(),
        step.buildNs(),
        step.queueNs(),
        step.transferNs(),
        step.computeNs());
  }

  /** None of a history that was written before steps were kept. */
  static List<StepTimes> steps(Object rows) {
    List<StepTimes> steps = new ArrayList<>();
    for (Object row : rows instanceof List<?> list ? list : List.of()) {
      List<?> values = (List<?>) row;
      steps.add(
          new StepTimes(
              (String) values.get(0),
              (String) values.get(1),
              (String) values.get(2),
              (String) values.get(3),
              number(values, 4),
              number(values, 5),
              number(values, 6),
              number(values, 7),
              number(values, 8),
              number(values, 9),
              number(values, 10),
              number(values, 11),
              List.of()));
    }
    return List.copyOf(steps);
  }

  private static long number(List<?> values, int index) {
    return ((Number) values.get(index)).longValue();
  }
}
