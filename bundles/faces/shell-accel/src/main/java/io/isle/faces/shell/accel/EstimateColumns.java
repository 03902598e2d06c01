package io.isle.faces.shell.accel;

import io.isle.api.accel.Estimate;
import io.isle.faces.shell.Sizes;
import io.isle.faces.shell.Table;
import java.util.Locale;
import java.util.function.Function;

/** Columns of how long submissions were thought to take, and how far off that was. */
final class EstimateColumns {
  private EstimateColumns() {}

  /**
   * Adds estimate and mean error: a logarithm to the base of 2 in JSON, the factor for people, who
   * may go without.
   *
   * @param estimateOf null where there is none
   */
  static <T> Table<T> add(Table<T> table, Function<T, Estimate> estimateOf) {
    return table
        .column("estimate_ns", "estimate", of(estimateOf, Estimate::estimateNs), Sizes::nanos)
        .spare()
        .column(
            "estimate_error",
            "error",
            of(estimateOf, e -> known(e.error())),
            EstimateColumns::factor)
        .spare()
        .jsonOnly("estimate_answered", of(estimateOf, Estimate::answered))
        .jsonOnly("estimate_model_error", of(estimateOf, e -> known(e.modelError())))
        .jsonOnly("estimate_average_error", of(estimateOf, e -> known(e.averageError())));
  }

  private static Double known(double error) {
    return Double.isNaN(error) ? null : error;
  }

  private static String factor(Object error) {
    return error instanceof Double log
        ? String.format(Locale.ROOT, "x%.2f", Math.pow(2, log))
        : "-";
  }

  private static <T> Function<T, Object> of(
      Function<T, Estimate> estimateOf, Function<Estimate, Object> field) {
    return row -> {
      Estimate estimate = estimateOf.apply(row);
      return estimate == null ? null : field.apply(estimate);
    };
  }
}
