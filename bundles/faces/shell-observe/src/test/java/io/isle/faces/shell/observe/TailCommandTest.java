package io.isle.faces.shell.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.observe.Actor;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import io.isle.api.observe.AuditFilter;
import io.isle.api.observe.AuditRecord;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.testing.FakeServices;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TailCommandTest {
  private final List<AuditRecord> records = new ArrayList<>();
  private final List<AuditFilter> asked = new ArrayList<>();
  private final FakeServices services =
      new FakeServices()
          .add(
              Audit.class,
              new Audit() {
                @Override
                public void record(AuditEvent event) {
                  records.add(new AuditRecord(records.size() + 1, 1_700_000_000_123L, event));
                }

                @Override
                public List<AuditRecord> tail(int limit, AuditFilter filter) {
                  asked.add(filter);
                  List<AuditRecord> all = records.stream().filter(filter::matches).toList();
                  return all.subList(Math.max(0, all.size() - limit), all.size());
                }

                /** Two more records come, one each time; then somebody interrupts. */
                @Override
                public List<AuditRecord> awaitNext(AuditFilter filter) throws InterruptedException {
                  if (asked.size() == 3) {
                    throw new InterruptedException();
                  }
                  TailCommandTest.this.add(new AuditEvent("isle", 0, "more", "", "", 0, ""));
                  return tail(Audit.MAX_TAIL, filter);
                }
              });

  private void add(AuditEvent event) {
    records.add(new AuditRecord(records.size() + 1, 1_700_000_000_123L, event));
  }

  @Test
  void bothFormsSayWhoDidWhatAndHowItEnded() {
    add(new AuditEvent("tenant:job:1", 0x0600000100000000L, "context.open", "soft0", "02", 0, "x"));
    add(new AuditEvent("user:karaf(admin)", 0, "device.reset", "soft0", "", Errno.ENODEV, "gone"));
    assertEquals(
        "[{\"number\":1,\"time\":\"2023-11-14T22:13:20.123Z\",\"actor\":\"tenant:job:1\","
            + "\"action\":\"context.open\",\"device\":\"soft0\",\"object\":\"02\","
            + "\"outcome\":\"ok\",\"capability\":\"0600000100000000\",\"detail\":\"x\"},"
            + "{\"number\":2,\"time\":\"2023-11-14T22:13:20.123Z\",\"actor\":\"user:karaf(admin)\","
            + "\"action\":\"device.reset\",\"device\":\"soft0\",\"object\":null,"
            + "\"outcome\":\"ENODEV\",\"capability\":null,\"detail\":\"gone\"}]\n",
        services.run(new TailCommand(), true));
    assertTrue(services.run(new TailCommand(), false).contains("2023-11-14 22:13:20  tenant"));
  }

  @Test
  void aViewerSeesItsOwnActionsOnly() {
    add(new AuditEvent("user:eve(viewer)", 0, "device.set", "soft0", "", Errno.EACCES, ""));
    add(new AuditEvent("user:eve(viewer)", 0, "device.power", "soft0", "", Errno.EACCES, ""));
    add(new AuditEvent("user:eve2(viewer)", 0, "other", "soft0", "", 0, ""));
    add(new AuditEvent("tenant:user:eve(viewer)", 0, "other", "soft0", "", 0, ""));
    add(new AuditEvent("isle", 0, "other", "soft0", "", 0, ""));
    Actor viewer = new Actor(Actor.Kind.USER, "eve", Set.of("viewer"));
    String seen = services.run(new TailCommand().as(viewer), true);
    assertTrue(seen.contains("device.set") && seen.contains("device.power"), seen);
    assertFalse(seen.contains("other"), seen);
    seen = services.run(new TailCommand().of(1, null, null, null).as(viewer), true);
    assertFalse(seen.contains("device.set"), seen);
    Actor manager = new Actor(Actor.Kind.USER, "max", Set.of("viewer", "manager"));
    assertTrue(services.run(new TailCommand().as(manager), true).contains("other"));
  }

  @Test
  void othersDoNotPushAViewersActionsOut() {
    add(new AuditEvent("user:eve(viewer)", 0, "device.set", "soft0", "", Errno.EACCES, ""));
    for (int i = 0; i < Audit.MAX_TAIL; i++) {
      add(new AuditEvent("isle", 0, "other", "soft0", "", 0, ""));
    }
    Actor viewer = new Actor(Actor.Kind.USER, "eve", Set.of("viewer"));
    String seen = services.run(new TailCommand().as(viewer), true);
    assertTrue(seen.contains("device.set"), seen);
  }

  @Test
  void optionsBecomeTheFilter() {
    assertEquals("[]\n", services.run(new TailCommand().of(5, "karaf", "soft1", "device"), true));
    assertEquals(
        new AuditFilter(Optional.of("karaf"), Optional.of("soft1"), Optional.of("device"), 0),
        asked.getFirst());
  }

  @Test
  void followingShowsEachRecordOnceUntilItIsInterrupted() {
    add(new AuditEvent("isle", 0, "one", "", "", 0, ""));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Output output = new Output(new PrintStream(bytes, true, StandardCharsets.UTF_8), false, 0);
    assertThrows(
        ShellException.class, () -> new TailCommand().following().execute(services, output));
    assertTrue(Thread.interrupted(), "the caller's interrupt is handed on");
    assertEquals(List.of(0L, 1L, 2L), asked.stream().map(AuditFilter::afterNumber).toList());
    assertEquals(4, bytes.toString(StandardCharsets.UTF_8).lines().count());
  }

  @Test
  void wrongUseIsRefused() {
    for (TailCommand wrong :
        List.of(
            new TailCommand().of(0, null, null, null),
            new TailCommand().of(Audit.MAX_TAIL + 1, null, null, null),
            new TailCommand().following())) {
      assertEquals(
          2, assertThrows(ShellException.class, () -> services.run(wrong, true)).exitStatus());
    }
  }
}
