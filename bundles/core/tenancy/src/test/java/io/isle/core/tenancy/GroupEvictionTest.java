package io.isle.core.tenancy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.tenancy.GroupTree;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Groups whose work does not end. */
@Timeout(30)
class GroupEvictionTest extends GroupServiceFixture {
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
}
