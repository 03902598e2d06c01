package io.isle.fabric.ring.isle;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.fabric.RingSide;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;

class IsleDriveTest {
  private static final long MS = 1_000_000;

  @Test
  void aCallThatHasWaitedForASecondLeavesTheLinkToTheAgent() {
    try (Arena arena = Arena.ofShared()) {
      End end = new End(RingSide.PREV, 1, arena);
      LanePorts ports = new LanePorts(end.machine, end.meter, false);
      try (IsleDrive drive = new IsleDrive(end.machine, ports, 0, () -> {})) {
        drive.used(MS);
        assertFalse(drive.isLeftToAgent(2000 * MS), "the agent does not wait for bytes yet");
        long ignored = drive.tend(20 * MS, (descriptor, events) -> {});
        assertFalse(drive.isLeftToAgent(1000 * MS));
        assertTrue(drive.isLeftToAgent(1001 * MS));
        drive.looked();
        assertTrue(drive.isLeftToAgent(1001 * MS));
        drive.used(1002 * MS);
        assertFalse(drive.isLeftToAgent(1003 * MS));
      }
    }
  }
}
