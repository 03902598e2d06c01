package io.isle.apps.jobs.spec;

import com.code_intelligence.jazzer.junit.FuzzTest;

/**
 * Job files are hostile input. As part of the tests this runs the stored inputs; with {@code
 * JAZZER_FUZZ=1} in the environment it looks for new ones.
 */
class JobFileFuzzTest {
  @FuzzTest(maxDuration = "2m")
  void anyBytesGiveAJobOrAnErrorWithALine(byte[] bytes) {
    Mutations.check(bytes);
  }
}
