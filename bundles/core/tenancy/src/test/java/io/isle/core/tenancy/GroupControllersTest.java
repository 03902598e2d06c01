package io.isle.core.tenancy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.tenancy.GroupKey;
import io.isle.api.tenancy.GroupTree;
import io.isle.api.tenancy.TenancyException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What controllers refuse, miss and are told. */
@Timeout(30)
class GroupControllersTest extends GroupServiceFixture {
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
    assertEquals(
        "colour: not a key of a group; the keys are parent, accel.share", unknown.getMessage());
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
    assertTrue(status("c").error().startsWith("colour: not a key of a group"));
    assertTrue(status("d").error().startsWith("parent: no group 'a'"));
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
}
