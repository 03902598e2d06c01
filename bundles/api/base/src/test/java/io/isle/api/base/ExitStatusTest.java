package io.isle.api.base;

import static org.junit.jupiter.api.Assertions.assertEquals;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ExitStatusTest {
  @Test
  void codesAreThoseOfTheCommandLine() {
    assertEquals(1, ExitStatus.FAILED);
    assertEquals(2, ExitStatus.USAGE);
    assertEquals(3, ExitStatus.MISSING);
    assertEquals(130, ExitStatus.INTERRUPTED);
  }

  @Property
  void aLambdaCarriesAnyCode(@ForAll @IntRange(min = 1, max = 255) int code) {
    ExitStatus status = () -> code;
    assertEquals(code, status.exitStatus());
  }
}
