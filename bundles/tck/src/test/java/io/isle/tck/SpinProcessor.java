package io.isle.tck;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** What handlers of packets need. */
final class SpinProcessor {
  private SpinProcessor() {}

  /** On other processors, the test is skipped with the reason. */
  static void assumed() {
    String processor = System.getProperty("os.arch");
    assumeTrue(
        processor.equals("amd64") || processor.equals("x86_64"),
        "handlers run on x86-64 only, this is " + processor);
  }
}
