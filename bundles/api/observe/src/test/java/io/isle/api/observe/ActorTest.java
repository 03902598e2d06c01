package io.isle.api.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.Principal;
import java.util.Optional;
import java.util.Set;
import javax.security.auth.Subject;
import org.junit.jupiter.api.Test;

class ActorTest {
  // Named as Karaf's principals are.
  private record UserPrincipal(String getName) implements Principal {}

  private record RolePrincipal(String getName) implements Principal {}

  private static Subject subject(Principal... principals) {
    return new Subject(true, Set.of(principals), Set.of(), Set.of());
  }

  @Test
  void theSubjectOfTheCallIsTheActorAndNobodyAfterIt() {
    Subject admin =
        subject(
            new UserPrincipal("karaf"), new RolePrincipal("viewer"), new RolePrincipal("admin"));
    Actor during = Subject.callAs(admin, Actor::current);
    assertEquals("user:karaf(admin)", during.text());
    assertTrue(during.has("viewer"));
    assertEquals(Actor.PLATFORM, Actor.current());
  }

  @Test
  void aSubjectWithoutAUserIsThePlatformAndGainsNoRole() {
    Actor actor = Actor.of(subject(new RolePrincipal("admin")));
    assertEquals(Actor.PLATFORM, actor);
    assertFalse(actor.has("admin"));
  }

  @Test
  void aTenantPassesForNobodyElse() {
    assertEquals("tenant:isle", Actor.tenant("isle").text());
    assertEquals("user:isle(none)", Actor.of(subject(new UserPrincipal("isle"))).text());
    assertEquals("isle", Actor.PLATFORM.text());
  }

  @Test
  void aUserIsNamedByNoTextOfAnotherUser() {
    Actor bob = user("bob", "viewer");
    assertTrue(bob.isNamed(bob.text()));
    assertTrue(bob.isNamed(user("bob", "admin").text()));
    assertTrue(bob.isNamed(user("bob", "other").text()));
    assertFalse(bob.isNamed(user("bob(x", "viewer").text()));
    assertFalse(bob.isNamed(user("bob(viewer)", "viewer").text()));
    assertFalse(bob.isNamed(user("bobby", "viewer").text()));
    assertFalse(bob.isNamed(Actor.tenant("bob").text()));
    Actor bracket = user("bob(x", "viewer");
    assertTrue(bracket.isNamed(bracket.text()));
    assertFalse(bracket.isNamed(bob.text()));
  }

  private static Actor user(String name, String role) {
    return Actor.of(subject(new UserPrincipal(name), new RolePrincipal(role)));
  }

  @Test
  void filtersMatchWholeAreasAndDevices() {
    AuditRecord reset =
        new AuditRecord(7, 0, AuditEvent.of(Actor.PLATFORM, "device.reset").device("soft1"));
    AuditFilter all = AuditFilter.ALL;
    assertTrue(all.matches(reset));
    assertFalse(all.after(7).matches(reset));
    assertTrue(action("device").matches(reset));
    assertTrue(action("device.reset").matches(reset));
    assertFalse(action("dev").matches(reset));
    assertFalse(
        new AuditFilter(Optional.empty(), Optional.of("soft"), Optional.empty(), 0).matches(reset));
  }

  private static AuditFilter action(String name) {
    return new AuditFilter(Optional.empty(), Optional.empty(), Optional.of(name), 0);
  }
}
