package io.isle.spin.nic.build;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import io.isle.api.observe.AuditFilter;
import io.isle.api.observe.AuditRecord;
import io.isle.api.observe.AuditTrail;
import io.isle.api.spin.BuildSpec;
import io.isle.api.spin.HandlerBuild;
import io.isle.api.spin.HandlerBuilds;
import io.isle.api.spin.HandlerImage;
import io.isle.api.spin.SpinException;
import java.nio.file.Path;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.security.auth.Subject;
import org.junit.jupiter.api.Test;

class AuditedBuildsTest {
  private static final BuildSpec SPEC =
      new BuildSpec(List.of(Path.of("/a/one.c"), Path.of("/a/t\u001bwo\n.c")), List.of());

  /** SHA-256 of the bytes 1, 2, 3. */
  private static final String HASH =
      "039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81";

  /** As the classes of Karaf are called. */
  private record UserPrincipal(String getName) implements Principal {}

  private record RolePrincipal(String getName) implements Principal {}

  private static final class Records implements Audit {
    final List<AuditEvent> events = new ArrayList<>();

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
  }

  private final Records records = new Records();

  private HandlerBuilds audited(HandlerBuilds builds) {
    return new AuditedBuilds(builds, new AuditTrail(() -> records, SpinException::new));
  }

  private static HandlerBuild built(boolean cached) {
    HandlerImage image = new HandlerImage("one", new byte[] {1, 2, 3}, Optional.empty());
    return new HandlerBuild(Optional.of(image), cached, "");
  }

  private AuditEvent newest() {
    AuditEvent event = records.events.getLast();
    assertEquals("spin.build", event.action());
    assertTrue(event.object().startsWith("/a/one.c /a/t"), event.object());
    assertTrue(event.object().chars().noneMatch(Character::isISOControl), event.object());
    return event;
  }

  @Test
  void aBuildIsRecordedWithUserFilesAndHash() throws Exception {
    Subject user =
        new Subject(
            true, Set.of(new UserPrincipal("ann"), new RolePrincipal("admin")), Set.of(), Set.of());
    HandlerBuild build =
        Subject.callAs(user, () -> audited((name, spec) -> built(false)).build("one", SPEC));
    assertTrue(build.image().isPresent());
    assertEquals("user:ann(admin)", newest().actor());
    assertEquals(0, newest().code());
    assertEquals("sha256 " + HASH + ", 3 bytes", newest().detail());
    audited((name, spec) -> built(true)).build("one", SPEC);
    assertEquals("isle", newest().actor());
    assertEquals("sha256 " + HASH + ", 3 bytes, built before", newest().detail());
    assertEquals(2, records.events.size());
  }

  @Test
  void aRefusalOfTheCompilerIsRecorded() throws Exception {
    HandlerBuild refused = new HandlerBuild(Optional.empty(), false, "error: no");
    assertEquals(refused, audited((name, spec) -> refused).build("one", SPEC));
    assertEquals(Errno.EINVAL, newest().code());
  }

  @Test
  void failuresAreRecordedAndThrown() {
    HandlerBuilds denied =
        audited(
            (name, spec) -> {
              throw new SpinException(Errno.EACCES, "requires the role admin");
            });
    assertThrows(SpinException.class, () -> denied.build("one", SPEC));
    assertEquals(Errno.EACCES, newest().code());
    assertEquals("requires the role admin", newest().detail());
    HandlerBuilds interrupted =
        audited(
            (name, spec) -> {
              throw new InterruptedException();
            });
    assertThrows(InterruptedException.class, () -> interrupted.build("one", SPEC));
    assertEquals(Errno.ECANCELED, newest().code());
    HandlerBuilds defect =
        audited(
            (name, spec) -> {
              throw new IllegalStateException("a defect");
            });
    assertThrows(IllegalStateException.class, () -> defect.build("one", SPEC));
    assertEquals(Errno.EIO, newest().code());
    assertEquals(3, records.events.size());
  }
}
