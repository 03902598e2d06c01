package io.isle.tck;

/**
 * How a case went.
 *
 * @param reason why it did not pass; empty if it did
 */
record Result(String name, Outcome outcome, String reason) {
  /** Outcomes; a skipped case is about something that the driver does not have. */
  enum Outcome {
    OK,
    FAILED,
    SKIPPED
  }

  String line() {
    String mark =
        switch (outcome) {
          case OK -> "ok    ";
          case FAILED -> "FAILED";
          case SKIPPED -> "skip  ";
        };
    return mark + " " + name + (reason.isEmpty() ? "" : ": " + reason);
  }
}
