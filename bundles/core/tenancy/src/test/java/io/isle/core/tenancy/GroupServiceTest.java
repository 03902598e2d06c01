package io.isle.core.tenancy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.isle.api.base.Errno;
import io.isle.api.observe.Actor;
import io.isle.api.tenancy.Group;
import io.isle.api.tenancy.TenancyException;
import java.security.Principal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import javax.security.auth.Subject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What commands ask for. */
@Timeout(30)
class GroupServiceTest extends GroupServiceFixture {
  @Test
  void aGroupIsMadeInItsFileAndInAllControllers() {
    bind(accel);
    Group made = groups.create(spec("team-a", SHARE, "60"));
    assertEquals("team-a", made.name());
    assertEquals(Map.of("parent", "default", SHARE, "60"), files.file("team-a"));
    assertEquals(List.of("default", "team-a"), names());
    assertSame(groups.tree(), accel.last());
    groups.set("team-a", Map.of(SHARE, "70"));
    assertEquals("70", files.file("team-a").get(SHARE));
    assertEquals("70", accel.last().find("team-a").orElseThrow().own().get(SHARE));
    groups.create(spec("inner", "parent", "team-a"));
    assertEquals("70", accel.last().find("inner").orElseThrow().text(SHARE).orElseThrow());
    Map<String, String> unset = new HashMap<>();
    unset.put(SHARE, null);
    groups.set("team-a", unset);
    assertEquals(Map.of("parent", "default"), files.file("team-a"));
    assertEquals(List.of(), edits, "what was asked for is no edit");
  }

  @Test
  void namesAreTakenOnceAndTheRootStays() {
    files.edit("held", "parent", "nobody");
    refresh();
    refused(Errno.EEXIST, () -> groups.create(spec("held")));
    refused(Errno.EEXIST, () -> groups.create(spec("default")));
    refused(Errno.ENOENT, () -> groups.create(spec("a", "parent", "nobody")));
    refused(Errno.ENOENT, () -> groups.set("nobody", Map.of()));
    refused(Errno.ENOENT, () -> groups.delete("nobody"));
    refused(Errno.ENOENT, () -> groups.stat("nobody"));
    refused(Errno.EPERM, () -> groups.delete("default"));
    groups.set("default", Map.of("x", "1"));
    assertEquals(Map.of("x", "1"), groups.tree().root().own());
    groups.delete("held");
    assertNull(files.file("held"));
  }

  @Test
  void aChangeIsMadeToWhatTheFileSaysNow() {
    bind(accel);
    groups.create(spec("a", SHARE, "10"));
    files.editUnseen("a", SHARE, "20", "net.share", "1");
    refused(Errno.EINVAL, () -> groups.set("a", Map.of("parent", "default")));
    files.editUnseen("a", SHARE, "20");
    Group group = groups.set("a", Map.of("parent", "default"));
    assertEquals("20", group.own().get(SHARE));
    assertEquals("{accel.share=20, parent=null}", edits.getLast().detail());
    files.editUnseen("a", SHARE, "200");
    refused(Errno.ENOSPC, () -> groups.set("a", Map.of("parent", "default")));
    assertEquals(Map.of(SHARE, "200"), files.file("a"));
    assertEquals("20", accel.last().find("a").orElseThrow().own().get(SHARE));
    files.editUnseen("b", SHARE, "1");
    refused(Errno.EEXIST, () -> groups.create(spec("b")));
    assertEquals(Map.of(SHARE, "1"), files.file("b"));
  }

  @Test
  void theFullDiskChangesNothing() {
    bind(accel);
    groups.create(spec("a", SHARE, "10"));
    files.full = true;
    refused(Errno.EIO, () -> groups.set("a", Map.of(SHARE, "20")));
    refused(Errno.EIO, () -> groups.create(spec("b")));
    refused(Errno.EIO, () -> groups.delete("a"));
    assertEquals("10", accel.last().find("a").orElseThrow().own().get(SHARE));
    assertEquals(List.of("default", "a"), names());
  }

  @Test
  void aChangeThatAnOlderStateOfTheFileOvertakesIsWrittenAgain() {
    bind(accel);
    groups.create(spec("a", SHARE, "10"));
    files.overtaken.set(1);
    groups.set("a", Map.of(SHARE, "20"));
    assertEquals("20", accel.last().find("a").orElseThrow().own().get(SHARE));
    files.overtaken.set(Integer.MAX_VALUE);
    refused(Errno.EIO, () -> groups.set("a", Map.of(SHARE, "30")));
    assertEquals("20", accel.last().find("a").orElseThrow().own().get(SHARE));
  }

  @Test
  void aChangeIsMadeInTheNameOfWhoAskedForIt() {
    bind(accel);
    groups.create(spec("a"));
    groups.create(spec("b"));
    List<Actor> actors = new CopyOnWriteArrayList<>();
    accel.onEvict = () -> actors.add(Actor.current());
    Subject user = new Subject();
    user.getPrincipals().add(new UserPrincipal("ann"));
    Subject.callAs(
        user,
        () -> {
          groups.delete("a");
          return user;
        });
    CompletionException refused =
        assertThrows(
            CompletionException.class,
            () ->
                Subject.callAs(
                    user,
                    () -> {
                      groups.delete("a");
                      return user;
                    }));
    assertEquals(Errno.ENOENT, ((TenancyException) refused.getCause()).code());
    files.remove("b");
    refresh();
    assertEquals("ann", actors.getFirst().name());
    assertEquals(Actor.PLATFORM, actors.getLast());
  }

  /** As the container has them: told by the name of its class. */
  private record UserPrincipal(String name) implements Principal {
    @Override
    public String getName() {
      return name;
    }
  }

  @Test
  void countersAreThoseOfAllControllers() {
    bind(accel);
    bind(new FakeController("net"));
    assertEquals(
        List.of("accel_evicted", "net_evicted"), new ArrayList<>(groups.stat("default").keySet()));
  }

  @Test
  void whoIsToldOfAChangeMayNotMakeOne() {
    AtomicReference<RuntimeException> thrown = new AtomicReference<>();
    accel.onApply =
        () -> {
          try {
            groups.create(spec("b"));
          } catch (TenancyException e) {
            thrown.set(e);
          }
        };
    bind(accel);
    refresh();
    assertEquals(Errno.EBUSY, ((TenancyException) thrown.get()).code());
    assertFalse(names().contains("b"));
  }

  @Test
  void afterItsEndNothingIsDone() {
    groups.close();
    refused(Errno.ECLOSED, () -> groups.create(spec("a")));
    assertNull(files.file("a"));
  }
}
