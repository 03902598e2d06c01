package io.isle.core.tenancy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.CapabilitySpec;
import io.isle.api.tenancy.Permission;
import io.isle.api.tenancy.TenancyException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CapabilityTableTest {
  private final List<List<Capability>> told = new ArrayList<>();
  private final CapabilityTable table = new CapabilityTable(64, told::add);

  @Test
  void aCapabilityAllowsWhatItSays() {
    Capability one = table.issue(spec("alice", "soft0", 100, Permission.ACCEL_COMPUTE));
    table.check(one, Permission.ACCEL_COMPUTE, "soft0");
    refused(Errno.EACCES, () -> table.check(one, Permission.ACCEL_MEMORY, "soft0"));
    refused(Errno.EACCES, () -> table.check(one, Permission.ACCEL_COMPUTE, "soft1"));
    assertEquals(Optional.of(one), table.find(one.id()));
    assertEquals(List.of(one), table.list());
  }

  @Test
  void delegationOnlyNarrows() {
    Capability one =
        table.issue(spec("alice", "soft0", 100, Permission.ACCEL_COMPUTE, Permission.ACCEL_MEMORY));
    Capability two = table.delegate(one, spec("alice:b", "soft0", 100, Permission.ACCEL_MEMORY));
    assertEquals(1, two.depth());
    refused(
        Errno.EACCES,
        () -> table.delegate(two, spec("alice:b", "soft0", 100, Permission.ACCEL_COMPUTE)));
    refused(
        Errno.EACCES, () -> table.delegate(two, spec("alice:b", null, 1, Permission.ACCEL_MEMORY)));
    refused(
        Errno.EACCES,
        () -> table.delegate(two, spec("alice:b", "soft1", 1, Permission.ACCEL_MEMORY)));
    refused(
        Errno.EACCES,
        () -> table.delegate(two, spec("alice:b", "soft0", 0, Permission.ACCEL_MEMORY)));
    refused(
        Errno.EACCES,
        () -> table.delegate(two, spec("alice:b", "soft0", 101, Permission.ACCEL_MEMORY)));
  }

  @Test
  void chainsAreBoundedAndRevokedAsAWhole() {
    Capability first = table.issue(spec("a", null, 0, Permission.ACCEL_COMPUTE));
    Capability last = first;
    for (int i = 0; i < Capabilities.MAX_DEPTH; i++) {
      last = table.delegate(last, spec("a", null, 0, Permission.ACCEL_COMPUTE));
    }
    Capability end = last;
    refused(Errno.ERANGE, () -> table.delegate(end, spec("a", null, 0, Permission.ACCEL_COMPUTE)));
    Capability other = table.issue(spec("b", null, 0, Permission.ACCEL_COMPUTE));
    table.revoke(first);
    table.revoke(first);
    assertFalse(end.valid());
    assertTrue(other.valid());
    assertEquals(List.of(other), table.list());
    refused(Errno.EREVOKED, () -> table.check(end, Permission.ACCEL_COMPUTE, "x"));
    refused(
        Errno.EREVOKED, () -> table.delegate(end, spec("a", null, 0, Permission.ACCEL_COMPUTE)));
  }

  @Test
  void whatIsRevokedIsToldOnceWithWhatWasDelegatedFromIt() {
    Capability one = table.issue(spec("a", null, 0, Permission.ACCEL_COMPUTE));
    Capability two = table.delegate(one, spec("a:b", null, 0, Permission.ACCEL_COMPUTE));
    Capability three = table.delegate(two, spec("a:b", null, 0, Permission.ACCEL_COMPUTE));
    Capability other = table.issue(spec("d", null, 0, Permission.ACCEL_COMPUTE));
    table.revoke(two);
    table.revoke(three);
    assertEquals(List.of(List.of(two, three)), told);
    table.revokeAll();
    table.revokeAll();
    assertEquals(List.of(List.of(two, three), List.of(one, other)), told);
  }

  /** Who hears of it may wait for a thread that asks the table. */
  @Test
  void itIsToldOutsideOfLocks() {
    AtomicReference<CapabilityTable> tells = new AtomicReference<>();
    List<Boolean> locked = new ArrayList<>();
    tells.set(new CapabilityTable(4, gone -> locked.add(Thread.holdsLock(tells.get()))));
    Capability one = tells.get().issue(spec("a", null, 0, Permission.ACCEL_COMPUTE));
    assertTrue(tells.get().issue(spec("b", null, 0, Permission.ACCEL_COMPUTE)).valid());
    tells.get().revoke(one);
    tells.get().revokeAll();
    assertEquals(List.of(false, false), locked);
  }

  @Test
  void placesAreUsedAgainUnderNewIds() {
    List<Capability> all =
        IntStream.range(0, 64)
            .mapToObj(i -> table.issue(spec("t" + i, null, 0, Permission.ACCEL_PERF)))
            .toList();
    refused(Errno.ENOSPC, () -> table.issue(spec("late", null, 0, Permission.ACCEL_PERF)));
    table.revoke(all.get(5));
    Capability next = table.issue(spec("late", null, 0, Permission.ACCEL_PERF));
    assertNotEquals(all.get(5).id(), next.id());
    assertTrue(table.find(all.get(5).id()).isEmpty());
    assertTrue(table.find(-1).isEmpty());
  }

  @Test
  void aDelegatedCapabilityHasItsTenantsNameOrOneBelow() {
    Capability alice = table.issue(spec("alice", null, 0, Permission.ACCEL_COMPUTE));
    for (String other : List.of("bob", "alic", "alice2", "alice.b", "bob:alice", "alice:", "a")) {
      refused(
          Errno.EACCES,
          () -> table.delegate(alice, spec(other, null, 0, Permission.ACCEL_COMPUTE)));
    }
    assertEquals("alice", delegated(alice, "alice").tenant());
    Capability part = delegated(alice, "alice:part");
    assertEquals("alice:part", part.tenant());
    assertEquals("alice:part:of", delegated(part, "alice:part:of").tenant());
    refused(
        Errno.EACCES, () -> table.delegate(part, spec("alice", null, 0, Permission.ACCEL_COMPUTE)));
  }

  /** Whoever has a name first has it until the last capability of that name is revoked. */
  @Test
  void noTwoTenantsHaveOneName() {
    Capability alice = table.issue(spec("alice", null, 0, Permission.ACCEL_COMPUTE));
    Capability job = table.issue(spec("alice:job", null, 0, Permission.ACCEL_COMPUTE));
    refused(
        Errno.EACCES,
        () -> table.delegate(alice, spec("alice:job", null, 0, Permission.ACCEL_COMPUTE)));
    assertTrue(table.issue(spec("alice:job", null, 0, Permission.ACCEL_PERF)).valid());
    Capability part = delegated(alice, "alice:part");
    refused(Errno.EACCES, () -> table.issue(spec("alice:part", null, 0, Permission.ACCEL_COMPUTE)));
    assertTrue(delegated(job, "alice:job").valid());
    Capability again = table.issue(spec("alice", null, 0, Permission.ACCEL_PERF));
    assertTrue(table.delegate(again, spec("alice:part", null, 0, Permission.ACCEL_PERF)).valid());
    table.revoke(part);
    table.revoke(again);
    assertTrue(table.issue(spec("alice:part", null, 0, Permission.ACCEL_COMPUTE)).valid());
  }

  private Capability delegated(Capability from, String tenant) {
    return table.delegate(from, spec(tenant, null, 0, Permission.ACCEL_COMPUTE));
  }

  @Test
  void aDelegatedCapabilityStaysInItsGroup() {
    CapabilitySpec plain = spec("a", null, 0, Permission.ACCEL_COMPUTE);
    assertEquals("default", table.issue(plain).group());
    Capability one = table.issue(plain.inGroup("team-7"));
    assertEquals("team-7", one.group());
    Capability two = table.delegate(one, plain.inGroup("other"));
    assertEquals("team-7", two.group());
    assertEquals("team-7", table.delegate(two, plain).group());
  }

  @Test
  void aGroupHasAName() {
    CapabilitySpec plain = spec("a", null, 0, Permission.ACCEL_COMPUTE);
    for (String bad : List.of("", "-a", "A", "a_b", "a b", "x".repeat(33))) {
      refused(Errno.EINVAL, () -> table.issue(plain.inGroup(bad)));
    }
    assertEquals("0", table.issue(plain.inGroup("0")).group());
    assertEquals(32, table.issue(plain.inGroup("x".repeat(32))).group().length());
  }

  @Test
  void whatWasNotIssuedHereIsRefused() {
    CapabilityTable other = new CapabilityTable(1, revoked -> {});
    Capability foreign = other.issue(spec("x", null, 0, Permission.ACCEL_COMPUTE));
    refused(Errno.EACCES, () -> table.check(foreign, Permission.ACCEL_COMPUTE, "soft0"));
    refused(Errno.EACCES, () -> table.check(null, Permission.ACCEL_COMPUTE, "soft0"));
  }

  @Test
  void malformedRequestsNameTheField() {
    refused(Errno.EINVAL, () -> table.issue(spec("", null, 0, Permission.ACCEL_PERF)));
    refused(Errno.EINVAL, () -> table.issue(spec("a b", null, 0, Permission.ACCEL_PERF)));
    refused(Errno.EINVAL, () -> table.issue(spec("x".repeat(65), null, 0, Permission.ACCEL_PERF)));
    refused(Errno.EINVAL, () -> table.issue(spec("a", null, 0)));
    refused(Errno.EINVAL, () -> table.issue(spec("a", null, -1, Permission.ACCEL_PERF)));
  }

  private static CapabilitySpec spec(
      String tenant, String device, long memory, Permission... permissions) {
    return new CapabilitySpec(tenant, Set.of(permissions), Optional.ofNullable(device), memory);
  }

  private static void refused(int code, Runnable action) {
    assertEquals(code, assertThrows(TenancyException.class, action::run).code());
  }
}
