package io.isle.core.tenancy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.observe.AuditEvent;
import io.isle.api.tenancy.TenancyException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is edited in the files of groups. */
@Timeout(30)
class GroupEditsTest extends GroupServiceFixture {
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
    assertTrue(status("a").error().startsWith("Parent: not a key"), status("a")::error);
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
  void aFileWhoseNameIsNoneIsReported() {
    files.edit("Team A", "x", "1");
    refresh();
    assertTrue(status("Team A").error().startsWith("name: 'Team A' is not"));
  }

  @Test
  void aGroupWaitsForItsParent() {
    bind(accel);
    files.edit("child", "parent", "mother", SHARE, "5");
    refresh();
    assertEquals(List.of("default"), names());
    assertEquals("parent: no group 'mother'", status("child").error());
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
    assertTrue(status("mother").error().contains("while its child group child exists"));
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
    assertTrue(status("a").error().startsWith("parent: the parents form a cycle"));
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
}
