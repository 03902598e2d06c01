package io.isle.core.drivers.supervision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.device.RecoveryCause.Kind;
import io.isle.api.driver.DriverException;
import io.isle.lib.ffi.PosixException;
import io.isle.lib.ffi.UnixListener;
import org.junit.jupiter.api.Test;

/** Which failed attempts are worth another one. */
class AttemptFailureTest {
  @Test
  void aDriverThatSaysNoIsNotAskedAgain() {
    AttemptFailure failure = AttemptFailure.of(new DriverException(Errno.EINVAL, "no"));
    assertTrue(failure.refused());
    assertNull(failure.defect());
  }

  @Test
  void aSystemCallOfTheCoreThatFailsIsNoRefusalByTheDriver() {
    String name = "isle-test-" + ProcessHandle.current().pid();
    try (UnixListener first = UnixListener.listen(name)) {
      PosixException failed =
          assertThrows(PosixException.class, () -> UnixListener.listen(name).close());
      AttemptFailure failure = AttemptFailure.of(failed);
      assertFalse(failure.refused());
      assertEquals(Kind.EXCEPTION, failure.cause().kind());
      assertEquals(failed.getMessage(), failure.cause().text());
      assertTrue(first.accept(0).isEmpty());
    }
  }
}
