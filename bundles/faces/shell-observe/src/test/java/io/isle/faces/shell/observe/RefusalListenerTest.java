package io.isle.faces.shell.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.api.base.Errno;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import io.isle.api.observe.AuditFilter;
import io.isle.api.observe.AuditRecord;
import java.util.ArrayList;
import java.util.List;
import javax.security.auth.Subject;
import org.apache.karaf.jaas.boot.principal.RolePrincipal;
import org.apache.karaf.jaas.boot.principal.UserPrincipal;
import org.junit.jupiter.api.Test;

class RefusalListenerTest {
  private final List<AuditEvent> events = new ArrayList<>();
  private final RefusalListener listener =
      new RefusalListener()
          .with(
              new Audit() {
                @Override
                public void record(AuditEvent event) {
                  events.add(event);
                }

                @Override
                public List<AuditRecord> tail(int limit, AuditFilter filter) {
                  return List.of();
                }

                @Override
                public List<AuditRecord> awaitNext(AuditFilter filter) {
                  return List.of();
                }
              });

  @Test
  void aRefusalIsWrittenDownWithItsUserAndWithoutTheLine() {
    Subject viewer = new Subject();
    viewer.getPrincipals().add(new UserPrincipal("ann"));
    viewer.getPrincipals().add(new RolePrincipal("viewer"));
    Exception refused =
        new IllegalStateException(new SecurityException("device:set: your role may not run it"));
    Subject.callAs(
        viewer,
        () -> {
          listener.afterExecute(null, "device:set soft0 secret=1", refused);
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
  void otherFailuresAreNoRefusals() {
    listener.afterExecute(null, "x", new IllegalStateException("broken"));
    listener.afterExecute(null, "x", (Object) "done");
    assertEquals(List.of(), events);
  }
}
