package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.Program;
import io.isle.api.accel.ProgramSource;
import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.api.observe.AuditEvent;
import io.isle.core.testing.RecordedAudit;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is written down of control actions, and under which capability. */
@Timeout(60)
class AccelAuditTest {
  private final Fixture fixture = new Fixture();
  private final List<AuditEvent> events = new ArrayList<>();

  AccelAuditTest() {
    fixture.audit = new RecordedAudit(events::add);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void everyControlActionOfATenantIsWrittenDown() {
    Context context = fixture.context(ContextSpec.named("audited"));
    Buffer buffer = context.allocate(100, 0);
    Program program = context.load(new ProgramSource.Builtin("sum"));
    fixture.accelerator().setPerformanceLevel(fixture.all, "high");
    context.close();
    assertEquals(
        List.of(
            "context.open " + Ids.text(context.id()),
            "memory.allocate " + Ids.text(buffer.id()),
            "program.load " + Ids.text(program.id()),
            "device.performance-level ",
            "context.close " + Ids.text(context.id())),
        events.stream().map(event -> event.action() + " " + event.object()).toList());
    for (AuditEvent event : events) {
      assertEquals("tenant:test", event.actor());
      assertEquals(fixture.all.id(), event.capability());
      assertEquals("sim0", event.device());
      assertEquals(0, event.code());
    }
  }

  @Test
  void theEndOfAGroupIsWrittenDownForEachContext() {
    GroupView controller = new GroupView(fixture.core);
    Context first = fixture.context(ContextSpec.named("one"));
    Context second = fixture.context(ContextSpec.named("two"));
    events.clear();
    controller.evict("default", Duration.ZERO);
    assertEquals(
        List.of(
            "context.evict " + Ids.text(first.id()) + " one of test: group default was deleted",
            "context.evict " + Ids.text(second.id()) + " two of test: group default was deleted"),
        events.stream()
            .map(event -> event.action() + " " + event.object() + " " + event.detail())
            .toList());
    assertEquals("isle", events.getFirst().actor());
  }

  @Test
  void whatIsRefusedIsWrittenDownToo() {
    assertThrows(AccelException.class, () -> fixture.context(ContextSpec.named(" ")));
    AdminView admin = new AdminView(fixture.core);
    assertThrows(
        AccelException.class,
        () -> admin.journal("sim0", Duration.ZERO, OutputStream.nullOutputStream()));
    assertThrows(
        AccelException.class,
        () -> admin.journal("sim1", Duration.ofMillis(1), OutputStream.nullOutputStream()));
    assertEquals(
        List.of(
            "context.open " + Errno.EINVAL,
            "device.journal " + Errno.EINVAL,
            "device.journal " + Errno.ENODEV),
        events.stream().map(event -> event.action() + " " + event.code()).toList());
    assertEquals("isle", events.get(1).actor(), "nobody's command: the platform itself");
  }

  @Test
  void withoutABookNothingIsMissing() {
    fixture.audit = null;
    fixture.context().close();
    assertEquals(List.of(), events);
  }
}
