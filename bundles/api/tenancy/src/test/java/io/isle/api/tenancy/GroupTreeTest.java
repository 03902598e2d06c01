package io.isle.api.tenancy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.base.GroupNames;
import io.isle.api.tenancy.Group.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GroupTreeTest {
  private static GroupSpec group(String name, String... keys) {
    Map<String, String> raw = new TreeMap<>();
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

  @Test
  void theRootIsAlwaysThere() {
    assertEquals("default", GroupTree.EMPTY.root().name());
    assertEquals(Optional.empty(), GroupTree.EMPTY.root().parent());
    assertEquals(1, GroupTree.EMPTY.groups().size());
    GroupTree tree = GroupTree.of(List.of(group("default", "weight", "3")));
    assertEquals(Map.of("weight", "3"), tree.root().own());
    assertEquals(tree, tree.without("nothing"));
  }

  @Test
  void aMissingKeyInherits() {
    GroupTree tree =
        GroupTree.of(
            List.of(
                group("b", "parent", "a", "x", "2"),
                group("c", "parent", "b"),
                group("a", "x", "1", "y", "")));
    Group c = tree.find("c").orElseThrow();
    assertEquals(Map.of(), c.own());
    assertEquals(Map.of("x", new Value("2", "b"), "y", new Value("", "a")), c.effective());
    assertEquals(Optional.of(""), c.text("y"));
    assertEquals(Optional.empty(), c.text("z"));
    assertEquals(
        List.of("b", "a", "default"), tree.ancestors("c").stream().map(Group::name).toList());
    assertEquals(List.of("a"), tree.children("default").stream().map(Group::name).toList());
    assertEquals(
        List.of("default", "a", "b", "c"), tree.groups().stream().map(Group::name).toList());
  }

  @Test
  void treesOfTheSameGroupsAreEqual() {
    GroupTree one = GroupTree.of(List.of(group("a"), group("b", "parent", "a", "x", "1")));
    GroupTree two = GroupTree.EMPTY.with(group("a")).with(group("b", "parent", "a", "x", "1"));
    assertEquals(one, two);
    assertEquals(one.hashCode(), two.hashCode());
    assertFalse(one.equals(two.with(group("b", "parent", "a"))));
    assertEquals(GroupTree.EMPTY.with(group("a")), one.without("b"));
  }

  @Test
  void whatIsNoTreeIsRefused() {
    TenancyException missing = refused(Errno.ENOENT, () -> tree(group("a", "parent", "b")));
    assertEquals("a", missing.group());
    assertEquals("parent", missing.key());
    assertEquals("parent: no group 'b'", missing.getMessage());
    TenancyException cycle =
        refused(
            Errno.EINVAL,
            () ->
                tree(
                    group("a", "parent", "c"),
                    group("b", "parent", "a"),
                    group("c", "parent", "b")));
    assertTrue(cycle.getMessage().contains("a -> c -> b -> a"), cycle.getMessage());
    refused(Errno.EINVAL, () -> tree(group("a", "parent", "a")));
    refused(Errno.EEXIST, () -> tree(group("a"), group("a")));
    refused(Errno.ENOENT, () -> tree(group("a"), group("b", "parent", "a")).without("a"));
    refused(Errno.EINVAL, () -> group("default", "parent", "a"));
  }

  private static GroupTree tree(GroupSpec... specs) {
    return GroupTree.of(List.of(specs));
  }

  @Test
  void depthAndNumberAreBounded() {
    List<GroupSpec> chain = new ArrayList<>();
    String parent = GroupTree.ROOT;
    for (int i = 1; i <= GroupTree.MAX_DEPTH; i++) {
      chain.add(group("g" + i, "parent", parent));
      parent = "g" + i;
    }
    assertEquals(GroupTree.MAX_DEPTH, GroupTree.of(chain).ancestors(parent).size());
    chain.add(group("deeper", "parent", parent));
    assertEquals("deeper", refused(Errno.EAGAIN, () -> GroupTree.of(chain)).group());

    List<GroupSpec> many = new ArrayList<>();
    for (int i = 1; i < GroupTree.MAX_GROUPS; i++) {
      many.add(group("g" + i));
    }
    assertEquals(GroupTree.MAX_GROUPS, GroupTree.of(many).groups().size());
    many.add(group("one-more"));
    refused(Errno.EAGAIN, () -> GroupTree.of(many));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "-a", "A", "a b", "a/b", "a.b", "\u00e4", "a23456789012345678901234567890123"})
  void namesHaveAForm(String name) {
    assertFalse(GroupNames.isName(name));
    assertEquals("name", refused(Errno.EINVAL, () -> group(name)).key());
    refused(Errno.EINVAL, () -> group("good", "parent", name));
  }

  @ParameterizedTest
  @ValueSource(strings = {"Key", "a-b", "", ".a", "a b"})
  void keysHaveAForm(String key) {
    assertEquals(key, refused(Errno.EINVAL, () -> group("good", key, "1")).key());
  }

  @Test
  void valuesAreBoundedAndPrintable() {
    group("good", "x", "v".repeat(GroupSpec.MAX_VALUE));
    assertEquals("x", refused(Errno.EINVAL, () -> group("a", "x", "v".repeat(1025))).key());
    refused(Errno.EINVAL, () -> group("a", "x", "one\ntwo"));
    Map<String, String> many = new TreeMap<>();
    for (int i = 0; i <= GroupSpec.MAX_KEYS; i++) {
      many.put("k" + i, "");
    }
    refused(Errno.EINVAL, () -> GroupSpec.of("a", many));
  }
}
