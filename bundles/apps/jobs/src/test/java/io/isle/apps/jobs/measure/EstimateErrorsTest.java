package io.isle.apps.jobs.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.Estimate;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EstimateErrorsTest {
  private final EstimateErrors errors = new EstimateErrors();

  private Map<String, Double> values() {
    Map<String, Double> values = new HashMap<>();
    errors.put(values);
    return values;
  }

  private double model() {
    return values().get("estimate.model_error");
  }

  private double average() {
    return values().get("estimate.average_error");
  }

  @Test
  void nothingIsKnownBeforeAContextHasEnded() {
    errors.add(Estimate.NONE);
    assertTrue(Double.isNaN(model()));
    assertTrue(Double.isNaN(average()));
  }

  @Test
  void withoutAModelItIsTheAverageOfAllSubmissions() {
    errors.add(new Estimate(1, 0, 30, 2, Double.NaN, 2));
    errors.add(new Estimate(1, 0, 10, 4, Double.NaN, 4));
    assertTrue(Double.isNaN(model()));
    assertEquals(2.5, average());
  }

  @Test
  void withAModelBothAreOfTheAnsweredSubmissions() {
    errors.add(new Estimate(1, 0, 30, 9, Double.NaN, 9));
    errors.add(new Estimate(1, 10, 20, 1, 0.5, 2));
    errors.add(new Estimate(1, 30, 30, 0.1, 0.1, 4));
    assertEquals(0.2, model(), 1e-9);
    assertEquals(3.5, average(), 1e-9);
  }
}
