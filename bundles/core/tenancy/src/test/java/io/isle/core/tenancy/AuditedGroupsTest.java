package io.isle.core.tenancy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.isle.api.base.Errno;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import io.isle.api.tenancy.GroupSpec;
import io.isle.api.tenancy.GroupTree;
import io.isle.api.tenancy.TenancyException;
import io.isle.core.testing.RecordedAudit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AuditedGroupsTest {
  private final List<AuditEvent> written = new ArrayList<>();
  private final Audit book = new RecordedAudit(written::add);
  private final GroupService service =
      new GroupService(new GroupThread("test"), new FakeFiles(), Set.of(), name -> {}, event -> {});
  private final AuditedGroups groups = new AuditedGroups(service, () -> book);

  @AfterEach
  void close() {
    service.close();
  }

  @Test
  void changesAndRefusalsAreWrittenDown() {
    service.add(new FakeController("accel"));
    groups.create(GroupSpec.of("a", Map.of("accel.share", "5")));
    groups.set("a", Map.of("accel.share", "6"));
    assertThrows(TenancyException.class, () -> groups.set("a", Map.of("accel.share", "x")));
    groups.delete("a");
    assertEquals(
        List.of("group.create", "group.set", "group.set", "group.delete"),
        written.stream().map(AuditEvent::action).toList());
    assertEquals(List.of(0, 0, Errno.EINVAL, 0), written.stream().map(AuditEvent::code).toList());
    assertEquals("{accel.share=5, parent=default}", written.getFirst().detail());
    assertEquals("a", written.getFirst().object());
    assertEquals("isle", written.getFirst().actor());
    assertEquals("accel.share: 'x' is not a number from 0", written.get(2).detail());
  }

  @Test
  void whatIsNoGroupIsWrittenDownToo() {
    service.add(new FakeController("accel"));
    assertThrows(
        TenancyException.class, () -> groups.create("Bad_Name", Map.of("accel.share", "5")));
    assertEquals(List.of("group.create"), written.stream().map(AuditEvent::action).toList());
    assertEquals(Errno.EINVAL, written.getFirst().code());
    assertEquals("Bad_Name", written.getFirst().object());
    groups.create("good", Map.of("accel.share", "5"));
    assertEquals("{accel.share=5}", written.getLast().detail());
  }

  @Test
  void withoutABookItWorksTheSame() {
    AuditedGroups alone = new AuditedGroups(service, () -> null);
    alone.create(GroupSpec.of("a", Map.of()));
    assertEquals(2, alone.tree().groups().size());
    assertEquals(GroupTree.ROOT, alone.list().getFirst().name());
  }
}
