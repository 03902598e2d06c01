package io.isle.core.accel;

import io.isle.api.inference.Deciders;
import io.isle.api.inference.DecisionPoint;
import io.isle.api.inference.DecisionSpec;
import io.isle.core.accel.estimate.SubmissionTime;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Publishes the decision point {@code submission_time} of all contexts. */
@Component(service = DecisionPoint.class)
public final class SubmissionTimeComponent implements DecisionPoint {
  private final SubmissionTime point;

  @Activate
  public SubmissionTimeComponent(@Reference AccelComponent accel) {
    point = accel.core().services().submissionTime();
  }

  @Override
  public DecisionSpec spec() {
    return point.spec();
  }

  @Override
  public void heuristic(int[] features, int[] out) {
    point.heuristic(features, out);
  }

  @Override
  public int score(int[] features, int[] out, int[] actual) {
    return point.score(features, out, actual);
  }

  @Override
  public void bind(Deciders deciders) {
    point.bind(deciders);
  }

  @Override
  public void unbind() {
    point.unbind();
  }
}
