package io.isle.core.tenancy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.observe.Actor;
import io.isle.api.observe.AuditEvent;
import io.isle.api.tenancy.Group;
import io.isle.api.tenancy.GroupKey;
import io.isle.api.tenancy.GroupSpec;
import io.isle.api.tenancy.GroupStatus;
import io.isle.api.tenancy.GroupTree;
import io.isle.api.tenancy.TenancyException;
import java.security.Principal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import javax.security.auth.Subject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class GroupServiceTest {
  private static final String SHARE = "accel.share";

  private final FakeFiles files = new FakeFiles();
  private final List<String> revoked = new CopyOnWriteArrayList<>();
  private final List<AuditEvent> edits = new CopyOnWriteArrayList<>();
  private final FakeController accel = new FakeController("accel");
  private final List<Runnable> later = new CopyOnWriteArrayList<>();
  private final GroupThread thread =
      new GroupThread("isle-groups") {
        @Override
        void after(Duration delay, Runnable work) {
          later.add(work);
        }
      };
  private final GroupService groups =
      new GroupService(thread, files, Set.of("accel"), revoked::add, edits::add);

  @AfterEach
  void close() {
    groups.close();
  }

  private void refresh() {
    groups.filesChanged();
    groups.settle();
  }

  /** Does what is to be done after a while. */
  private void pass() {
    List<Runnable> due = List.copyOf(later);
    later.clear();
    due.forEach(thread::post);
    groups.settle();
  }

  private void bind(FakeController controller) {
    groups.add(controller);
    groups.settle();
  }

  private static GroupSpec spec(String name, String... keys) {
    Map<String, String> raw = new HashMap<>();
    for (int i = 0; i < keys.length; i += 2) {
      raw.put(keys[i], keys[i + 1]);
    }
    return GroupSpec.of(name, raw);
  }

  private static TenancyException refused(int code, Runnable action) {
    TenancyException thrown = assertThrows(TenancyException.class, action::run);
    assertEquals(code, thrown.code(), thrown.getMessage());
    return thrown;
  }

  private List<String> names() {
    return groups.tree().groups().stream().map(Group::name).toList();
  }

  private GroupStatus status(String name) {
    return groups.find(name).orElseThrow();
  }

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
  void whatAControllerRefusesChangesNothing() {
    bind(accel);
    groups.create(spec("a", SHARE, "60"));
    GroupTree before = groups.tree();
    int applied = accel.applied.size();
    TenancyException much = refused(Errno.ENOSPC, () -> groups.create(spec("b", SHARE, "50")));
    assertEquals("accel.share: 110 is more than all 100", much.getMessage());
    refused(Errno.EINVAL, () -> groups.set("a", Map.of(SHARE, "much")));
    TenancyException unknown =
        refused(Errno.EINVAL, () -> groups.set("a", Map.of("colour", "red")));
    assertEquals("colour: no such key; there are parent, accel.share", unknown.getMessage());
    assertEquals("a", unknown.group());
    assertSame(before, groups.tree());
    assertEquals(applied, accel.applied.size());
    assertNull(files.file("b"));
    assertEquals("60", files.file("a").get(SHARE));
  }

  @Test
  void oneControllerThatRefusesIsEnough() {
    FakeController net = new FakeController("net");
    bind(accel);
    bind(net);
    assertEquals(
        List.of("accel.share", "net.share"), groups.keys().stream().map(GroupKey::key).toList());
    groups.create(spec("a"));
    int applied = accel.applied.size();
    refused(Errno.ENOSPC, () -> groups.set("a", Map.of(SHARE, "1", "net.share", "101")));
    assertEquals(applied, accel.applied.size());
    groups.set("a", Map.of(SHARE, "1", "net.share", "100"));
    assertSame(accel.last(), net.last());
  }

  @Test
  void whenOneFailsToApplyAllGoBack() {
    FakeController net = new FakeController("net");
    bind(accel);
    bind(net);
    groups.create(spec("a"));
    GroupTree before = groups.tree();
    net.onApply =
        () -> {
          net.onApply = () -> {};
          throw new IllegalStateException("broken");
        };
    TenancyException failed = refused(Errno.EIO, () -> groups.set("a", Map.of(SHARE, "1")));
    assertTrue(failed.getMessage().contains("controller net failed"), failed.getMessage());
    assertEquals(before, groups.tree());
    assertEquals(before, accel.last());
    assertEquals(before, net.last());
    assertTrue(status("a").error().contains("broken"), status("a")::error);
    refresh();
    assertEquals("1", net.last().find("a").orElseThrow().own().get(SHARE), "it is tried again");
  }

  @Test
  void anEditOfAFileActs() {
    bind(accel);
    refresh();
    files.edit("a", SHARE, "40");
    refresh();
    assertEquals("40", accel.last().find("a").orElseThrow().own().get(SHARE));
    files.edit("a", SHARE, "400");
    refresh();
    assertEquals("40", accel.last().find("a").orElseThrow().own().get(SHARE));
    assertEquals("accel.share: 400 is more than all 100", status("a").error());
    assertEquals(Map.of(SHARE, "400"), status("a").settings());
    files.edit("a", "Parent", "b");
    refresh();
    assertTrue(status("a").error().startsWith("Parent: no key"), status("a")::error);
    assertEquals("40", accel.last().find("a").orElseThrow().own().get(SHARE));
    files.remove("a");
    refresh();
    assertEquals(List.of("default"), names());
    assertEquals(List.of("a"), accel.evicted);
    assertEquals(List.of("a"), revoked);
    assertEquals(
        List.of(0, Errno.ENOSPC, Errno.EINVAL, 0), edits.stream().map(AuditEvent::code).toList());
    assertEquals("io.isle.group-a.cfg", edits.getFirst().object());
    assertEquals("{accel.share=40}", edits.getFirst().detail());
    assertEquals("deleted", edits.getLast().detail());
  }

  @Test
  void whatIsThereAtTheFirstLookIsNoEdit() {
    files.edit("a");
    refresh();
    assertEquals(List.of("default", "a"), names());
    assertEquals(List.of(), edits);
  }

  @Test
  void aGroupWaitsForItsParent() {
    bind(accel);
    files.edit("child", "parent", "mother", SHARE, "5");
    refresh();
    assertEquals(List.of("default"), names());
    assertEquals("parent: there is no group 'mother'", status("child").error());
    assertTrue(status("child").group().isEmpty());
    files.edit("mother");
    refresh();
    assertEquals(List.of("default", "mother", "child"), names());
    assertEquals("", status("child").error());
  }

  @Test
  void aParentStaysWhileItHasChildren() {
    bind(accel);
    groups.create(spec("mother", SHARE, "30"));
    groups.create(spec("child", "parent", "mother"));
    TenancyException busy = refused(Errno.EBUSY, () -> groups.delete("mother"));
    assertTrue(busy.getMessage().contains("such as child"), busy.getMessage());
    files.remove("mother");
    refresh();
    assertEquals(List.of("default", "mother", "child"), names());
    assertTrue(status("mother").error().contains("while child is below it"));
    assertEquals(List.of(), accel.evicted);
    groups.set("mother", Map.of(SHARE, "31"));
    assertEquals(Map.of("parent", "default", SHARE, "31"), files.file("mother"));
    files.remove("mother");
    groups.delete("child");
    refresh();
    assertEquals(List.of("default"), names());
    assertEquals(List.of("child", "child", "mother"), accel.evicted);
  }

  @Test
  void parentAndChildrenGoTogetherChildrenFirst() {
    bind(accel);
    groups.create(spec("mother"));
    groups.create(spec("child", "parent", "mother"));
    files.remove("mother");
    files.remove("child");
    refresh();
    assertEquals(List.of("child", "mother"), accel.evicted);
    assertEquals(List.of("default"), names());
  }

  @Test
  void aCycleIsRefusedAndTheTreeStays() {
    files.edit("a");
    files.edit("b", "parent", "a");
    refresh();
    files.edit("a", "parent", "b");
    refresh();
    assertEquals(List.of("default", "a", "b"), names());
    assertTrue(status("a").error().startsWith("parent: the way up never ends"));
    files.edit("b");
    refresh();
    assertEquals("b", groups.tree().find("a").orElseThrow().parent().orElseThrow());
  }

  @Test
  void editsThatAreOnlyGoodTogetherAreTaken() {
    FakeController net = new FakeController("net");
    bind(accel);
    bind(net);
    groups.create(spec("a", SHARE, "60", "net.share", "40"));
    groups.create(spec("b", SHARE, "40", "net.share", "60"));
    files.edit("a", SHARE, "40", "net.share", "60");
    files.edit("b", SHARE, "60", "net.share", "40");
    refresh();
    assertEquals("60", accel.last().find("b").orElseThrow().own().get(SHARE));
    assertEquals("", status("a").error() + status("b").error());
  }

  @Test
  void whatIsRefusedIsTakenWhenThereIsRoom() {
    bind(accel);
    groups.create(spec("a", SHARE, "60"));
    files.edit("b", SHARE, "50");
    refresh();
    assertEquals(List.of("default", "a"), names());
    groups.set("a", Map.of(SHARE, "50"));
    assertEquals(List.of("default", "a", "b"), names());
    assertEquals("", status("b").error());
  }

  @Test
  void keysOfAnAbsentControllerAreKeptAndReported() {
    groups.create(spec("a", SHARE, "much", "colour", "red"));
    assertEquals(List.of(SHARE, "colour"), status("a").notInForce());
    assertEquals("much", files.file("a").get(SHARE));
  }

  @Test
  void aControllerThatComesLaterGetsTheTree() {
    groups.create(spec("a", SHARE, "10"));
    bind(accel);
    assertSame(groups.tree(), accel.last());
    assertEquals(List.of("default", "a"), names());
    assertEquals(List.of(), status("a").notInForce());
  }

  @Test
  void whatALaterControllerRefusesIsHeldBack() {
    groups.create(spec("a", SHARE, "much"));
    groups.create(spec("b", SHARE, "10"));
    groups.create(spec("c", "colour", "red"));
    groups.create(spec("d", "parent", "a"));
    bind(accel);
    assertEquals(List.of("default", "b"), names());
    assertEquals(groups.tree(), accel.last());
    assertEquals("accel.share: 'much' is not a number from 0", status("a").error());
    assertTrue(status("c").error().startsWith("colour: no such key"));
    assertTrue(status("d").error().startsWith("parent: there is no group 'a'"));
    groups.set("a", Map.of(SHARE, "1"));
    assertEquals(List.of("default", "a", "d", "b"), names());
  }

  @Test
  void aControllerThatComesBackFindsTheLastGoodSettings() {
    bind(accel);
    groups.create(spec("a", SHARE, "10"));
    groups.create(spec("inner", "parent", "a"));
    groups.remove(accel);
    int applied = accel.applied.size();
    files.edit("a", SHARE, "much");
    refresh();
    assertEquals(List.of(SHARE), status("a").notInForce());
    assertEquals(applied, accel.applied.size(), "nothing of it is called any more");
    FakeController again = new FakeController("accel");
    bind(again);
    assertEquals("10", again.last().find("a").orElseThrow().own().get(SHARE));
    assertEquals("accel.share: 'much' is not a number from 0", status("a").error());
    assertEquals(List.of("default", "a", "inner"), names());
  }

  @Test
  void aControllerWithAKeyOfAnotherOneIsNotUsed() {
    bind(accel);
    FakeController thief =
        new FakeController("accel") {
          @Override
          public String name() {
            return "thief";
          }
        };
    bind(thief);
    assertEquals(1, groups.keys().size());
    assertEquals(List.of(), thief.applied);
  }

  @Test
  void whatDoesNotEndKeepsItsGroup() {
    bind(accel);
    groups.create(spec("a"));
    accel.stuck.add("a");
    GroupTree before = groups.tree();
    refused(Errno.ETIMEDOUT, () -> groups.delete("a"));
    assertEquals(before, groups.tree());
    assertEquals(before, accel.last(), "told again, so that it opens contexts again");
    assertEquals(Map.of("parent", "default"), files.file("a"));
    int applied = accel.applied.size();
    files.remove("a");
    refresh();
    assertEquals(List.of("default", "a"), names());
    assertTrue(status("a").error().contains("does not end"));
    assertTrue(accel.applied.size() > applied);
    accel.stuck.clear();
    pass();
    assertEquals(List.of("default"), names());
  }

  @Test
  void whatDoesNotEndDoesNotHoldUpOtherChanges() {
    bind(accel);
    groups.create(spec("a"));
    accel.stuck.add("a");
    files.remove("a");
    refresh();
    assertEquals(List.of("a"), accel.evicted);
    groups.create(spec("b"));
    groups.set("b", Map.of(SHARE, "5"));
    files.edit("c");
    refresh();
    assertEquals(List.of("a"), accel.evicted);
    assertEquals(List.of("a"), revoked);
    assertEquals(List.of("default", "a", "b", "c"), names());
    assertTrue(status("a").error().contains("does not end"), status("a")::error);
    pass();
    assertEquals(List.of("a", "a"), accel.evicted, "it is tried again");
    accel.stuck.clear();
    groups.delete("a");
    assertEquals(List.of("default", "b", "c"), names());
  }

  @Test
  void aFileThatComesBackKeepsTheGroupThatDidNotEnd() {
    bind(accel);
    groups.create(spec("a"));
    accel.stuck.add("a");
    files.remove("a");
    refresh();
    files.edit("a", SHARE, "5");
    refresh();
    assertEquals("", status("a").error());
    pass();
    assertEquals(List.of("a"), accel.evicted);
    files.remove("a");
    accel.stuck.clear();
    refresh();
    assertEquals(List.of("default"), names());
  }

  @Test
  void aParentIsNotEndedWhileAChildDoesNotEnd() {
    bind(accel);
    groups.create(spec("mother", SHARE, "5"));
    groups.create(spec("child", "parent", "mother"));
    accel.stuck.add("child");
    files.remove("mother");
    files.remove("child");
    refresh();
    assertEquals(List.of("child"), accel.evicted);
    assertEquals(List.of("child"), revoked);
    assertEquals(List.of("default", "mother", "child"), names());
    assertEquals("5", accel.last().find("mother").orElseThrow().own().get(SHARE));
    accel.stuck.clear();
    pass();
    assertEquals(List.of("default"), names());
  }

  @Test
  void controllersKnowWhatIsHeldBackAndWhy() {
    bind(accel);
    files.edit("a", SHARE, "much");
    files.edit("b", SHARE, "5");
    refresh();
    assertEquals(Map.of("a", "accel.share: 'much' is not a number from 0"), accel.last().held());
    files.edit("a", SHARE, "more");
    refresh();
    assertEquals(Map.of("a", "accel.share: 'more' is not a number from 0"), accel.last().held());
    files.edit("a", SHARE, "1");
    refresh();
    assertEquals(Map.of(), accel.last().held());
    files.edit("a", SHARE, "much");
    refresh();
    assertEquals(Map.of(), accel.last().held(), "the last good settings are in force");
  }

  @Test
  void untilTheFilesCanBeReadControllersHearNothing() {
    files.edit("a", SHARE, "5");
    files.unreadable = true;
    bind(accel);
    refresh();
    assertEquals(List.of(), accel.applied);
    files.unreadable = false;
    pass();
    assertEquals(List.of("default", "a"), names());
    assertSame(groups.tree(), accel.last());
    files.unreadable = true;
    refresh();
    assertEquals(List.of("default", "a"), names());
  }

  @Test
  void evenAnEmptyTreeIsToldOnce() {
    bind(accel);
    assertEquals(List.of(), accel.applied);
    refresh();
    assertEquals(GroupTree.EMPTY, accel.last());
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
  void aFileThatGoesBeforeItIsSeenIsMissedAllTheSame() {
    bind(accel);
    groups.create(spec("a"));
    groups.create(spec("b"));
    files.removeUnseen("a");
    refresh();
    assertEquals(List.of("default", "a", "b"), names());
    pass();
    assertEquals(List.of("default", "b"), names());
    assertEquals(List.of("a"), accel.evicted);
    assertEquals("deleted", edits.getLast().detail());
  }

  @Test
  void aFileThatWentWhileNobodyLookedIsMissedAtTheFirstLook() {
    files.edit("a");
    files.edit("b");
    files.removeUnseen("a");
    refresh();
    assertEquals(List.of("default", "b"), names());
    assertEquals(List.of(), edits);
  }

  @Test
  void anEditBesideACommandIsWrittenDown() {
    bind(accel);
    groups.create(spec("a"));
    groups.create(spec("b"));
    accel.onEvict = () -> files.edit("b", SHARE, "7");
    groups.delete("a");
    refresh();
    assertEquals(List.of("io.isle.group-b.cfg"), edits.stream().map(AuditEvent::object).toList());
    assertEquals("{accel.share=7, parent=null}", edits.getFirst().detail());
  }

  @Test
  void aRefusedEditThatCountsAfterAllIsWrittenDown() {
    bind(accel);
    groups.create(spec("a", SHARE, "60"));
    files.edit("b", SHARE, "50");
    refresh();
    groups.set("a", Map.of(SHARE, "50"));
    refresh();
    assertEquals(List.of(Errno.ENOSPC, 0), edits.stream().map(AuditEvent::code).toList());
    assertEquals("io.isle.group-b.cfg", edits.getLast().object());
    assertEquals("in force: {accel.share=50}", edits.getLast().detail());
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
  void aFileWhoseNameIsNoneIsReported() {
    files.edit("Team A", "x", "1");
    refresh();
    assertTrue(status("Team A").error().startsWith("name: 'Team A' is not"));
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
