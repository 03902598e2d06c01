package io.isle.api.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.security.auth.Subject;
import org.junit.jupiter.api.Test;

class AuditTrailTest {
  private static final class AreaFailure extends IsleException {
    private static final long serialVersionUID = 1L;

    AreaFailure(int code, String message, Throwable cause) {
      super(code, message, cause);
    }
  }

  private record UserPrincipal(String name) implements Principal {
    @Override
    public String getName() {
      return name;
    }
  }

  private final List<AuditEvent> events = new ArrayList<>();
  private final AuditTrail trail = new AuditTrail(() -> audit(events), AreaFailure::new);
  private final AuditEvent event = AuditTrail.tenant("thing.make", "red", 7, "soft0");

  private static Audit audit(List<AuditEvent> events) {
    return new Audit() {
      @Override
      public void record(AuditEvent event) {
        events.add(event);
      }

      @Override
      public List<AuditRecord> tail(int limit, AuditFilter filter) {
        throw new UnsupportedOperationException();
      }

      @Override
      public List<AuditRecord> awaitNext(AuditFilter filter) {
        throw new UnsupportedOperationException();
      }
    };
  }

  private static <T extends Throwable> T refuse(T thrown) throws T {
    throw thrown;
  }

  @Test
  void successIsRecordedWithTheThingMade() {
    assertEquals("made", trail.recorded(event, () -> "made", made -> made + "-1"));
    trail.run(event, () -> {});
    assertEquals(List.of(event.object("made-1"), event), events);
  }

  @Test
  void failureIsRecordedInOneLineAndThrownOn() {
    IsleException failure = new AreaFailure(Errno.EBUSY, "line 1\nline 2\u001b[1m", null);
    assertSame(
        failure, assertThrows(AreaFailure.class, () -> trail.run(event, () -> refuse(failure))));
    assertEquals(List.of(event.failed(Errno.EBUSY, "line 1; line 2")), events);
  }

  @Test
  void anyOtherExceptionCountsAsAnInputOutputError() {
    assertThrows(
        IllegalStateException.class,
        () ->
            trail.recorded(event, () -> refuse(new IllegalStateException("no")), String::valueOf));
    assertEquals(Errno.EIO, events.getFirst().code());
    assertEquals("java.lang.IllegalStateException: no", events.getFirst().detail());
  }

  @Test
  void memoryThatRunsOutEndsAnActionWithTheAreasException() {
    AreaFailure failure =
        assertThrows(
            AreaFailure.class, () -> trail.run(event, () -> throwOutOfMemory("Java heap space")));
    assertInstanceOf(OutOfMemoryError.class, failure.getCause());
    assertEquals(Errno.ENOMEM, failure.code());
    assertEquals(
        List.of(event.failed(Errno.ENOMEM, "the platform is out of memory: Java heap space")),
        events);
  }

  private static void throwOutOfMemory(String reason) {
    throw new OutOfMemoryError(reason);
  }

  @Test
  void theUserOfACommandIsTheActorAndElseTheTenant() {
    assertEquals("tenant:red", event.actor());
    Subject user = new Subject(true, Set.of(new UserPrincipal("ann")), Set.of(), Set.of());
    AuditEvent byUser =
        Subject.callAs(user, () -> AuditTrail.tenant("thing.make", "red", 7, "soft0"));
    assertEquals("user:ann(none)", byUser.actor());
    assertEquals(7, byUser.capability());
  }

  @Test
  void withoutAnAuditLogActionsRunAllTheSame() {
    AuditTrail unrecorded = new AuditTrail(() -> null, AreaFailure::new);
    assertEquals("made", unrecorded.recorded(event, () -> "made", made -> made));
  }
}
