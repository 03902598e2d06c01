package io.isle.apps.jobs.spec;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** Job files are hostile input: the stored inputs, and those that scripts/fuzz finds. */
class JobFileFuzzTest {
  @FuzzTest(maxDuration = "2m")
  void anyBytesGiveAJobOrAnErrorWithALine(byte[] bytes) {
    Mutations.check(bytes);
  }
}
