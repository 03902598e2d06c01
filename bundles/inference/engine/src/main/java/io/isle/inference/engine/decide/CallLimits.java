package io.isle.inference.engine.decide;

import io.isle.inference.engine.distribution.DistributionLimits;

/**
 * What calls of a model may be like before a group loses it.
 *
 * @param invalidInARow so many invalid outputs in a row are too many
 * @param distribution when features are others than in the training
 */
public record CallLimits(int invalidInARow, DistributionLimits distribution) {
  /** 16 invalid outputs. */
  public static final CallLimits DEFAULT = new CallLimits(16, DistributionLimits.DEFAULT);

  /** Checks the number. */
  public CallLimits {
    if (invalidInARow < 1) {
      throw new IllegalArgumentException("invalidInARow is " + invalidInARow + ", below 1");
    }
  }
}
