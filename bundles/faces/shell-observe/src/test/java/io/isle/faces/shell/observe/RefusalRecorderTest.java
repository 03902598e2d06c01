package io.isle.faces.shell.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.api.base.Errno;
import io.isle.api.observe.AuditEvent;
import io.isle.core.testing.RecordedAudit;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Logger;
import javax.security.auth.Subject;
import org.apache.karaf.jaas.boot.principal.RolePrincipal;
import org.apache.karaf.jaas.boot.principal.UserPrincipal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RefusalRecorderTest {
  private final List<AuditEvent> events = new ArrayList<>();
  private final RefusalRecorder recorder =
      new RefusalRecorder().with(new RecordedAudit(events::add));

  @AfterEach
  void stop() {
    recorder.stop();
  }

  @Test
  void aRefusalIsWrittenDownWithItsUser() {
    Subject viewer = new Subject();
    viewer.getPrincipals().add(new UserPrincipal("ann"));
    viewer.getPrincipals().add(new RolePrincipal("viewer"));
    Subject.callAs(
        viewer,
        () -> {
          Logger.getLogger(RefusalRecorder.LOGGER).severe("device:set: your role may not run it");
          return null;
        });
    assertEquals(
        List.of(
            new AuditEvent(
                "user:ann(viewer)",
                0,
                "shell.refuse",
                "",
                "",
                Errno.EACCES,
                "device:set: your role may not run it")),
        events);
  }

  @Test
  void onceItIsStoppedItHearsNothing() {
    recorder.stop();
    Logger.getLogger(RefusalRecorder.LOGGER).severe("device:set: your role may not run it");
    assertEquals(List.of(), events);
  }
}
