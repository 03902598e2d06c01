package io.isle.core.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.observe.AuditEvent;
import io.isle.api.observe.AuditRecord;
import java.util.Optional;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class RecordLineTest {
  @Property(tries = 500)
  void everyTextComesBackAndNoneLeavesItsLine(
      @ForAll String actor, @ForAll String detail, @ForAll long capability, @ForAll int code) {
    AuditRecord entry =
        new AuditRecord(
            1, 1_700_000_000_123L, new AuditEvent(actor, capability, "a.b", "", "", code, detail));
    String line = RecordLine.write(entry);
    assertEquals(line.length() - 1, line.indexOf('\n'));
    assertTrue(line.chars().allMatch(c -> c == '\n' || c >= ' ' && c <= 127), line);
    assertEquals(Optional.of(entry), RecordLine.read(line));
  }

  @Property(tries = 500)
  void garbageIsNoRecord(@ForAll String text) {
    assertEquals(Optional.empty(), RecordLine.read(text));
  }

  @Example
  void aTornLineIsNoRecord() {
    String line =
        RecordLine.write(new AuditRecord(9, 0, new AuditEvent("a", 1, "b", "c", "d", 2, "e")));
    for (int end = 0; end < line.length() - 1; end++) {
      assertEquals(Optional.empty(), RecordLine.read(line.substring(0, end)), "cut at " + end);
    }
    assertEquals(Optional.empty(), RecordLine.read("{\"number\":1,\"time\":{\"a\":1}}"));
    assertEquals(Optional.empty(), RecordLine.read("{\"number\":\"x\",\"time\":\"now\"}"));
  }
}
