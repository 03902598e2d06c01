package io.isle.inference.engine.slot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import io.isle.inference.engine.decide.TestPoint;
import io.isle.inference.engine.slot.SlotJobs.Owner;
import io.isle.lib.model.ModelException;
import io.isle.lib.model.ModelFault;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlotJobsTest {
  @TempDir private Path folder;
  private SlotWorld world;

  @BeforeEach
  void begin() {
    world = new SlotWorld(folder);
  }

  private void load(long serial, int bias) {
    boolean ignored = SlotAdmin.load(world.slot, world.model(serial, bias), false);
  }

  private ModelFault refused(Runnable load) {
    return assertThrows(ModelException.class, load::run).fault();
  }

  private int code(Runnable action) {
    return assertThrows(IsleException.class, action::run).code();
  }

  @Test
  void theModelOfAJobServesOnlyDuringTheJob() {
    load(5, 10);
    SlotAdmin.disable(world.slot, "team-a");
    byte[] file = ModelFiles.signed(world.point.spec(), 1, 20, ModelFiles.OTHER);
    Owner owner = new Owner("start", 7);
    begin(file, owner);
    assertEquals(21, world.decide());
    assertTrue(world.slot.info().ofJob());
    assertEquals(Errno.EBUSY, code(() -> load(6, 60)));
    assertEquals(Errno.EEXIST, code(() -> begin(file, new Owner("start", 8))));
    assertFalse(SlotJobs.end(world.slot, new Owner("start", 8)));
    assertTrue(SlotJobs.end(world.slot, owner));
    assertFalse(SlotJobs.end(world.slot, owner));
    assertEquals(TestPoint.RULE, world.decide());
    SlotAdmin.reset(world.slot, "team-a");
    assertEquals(11, world.decide());
    assertEquals(5, world.slot.info().newestSerial().orElseThrow());
    assertEquals(ModelFault.NO_TRUSTED_KEY, refused(() -> SlotAdmin.load(world.slot, file, false)));
    begin(file, owner);
    world.restart();
    SlotJobs.resume(world.slot, "another start");
    assertEquals(11, world.decide());
    assertFalse(SlotJobs.end(world.slot, owner));
  }

  private void begin(byte[] file, Owner owner) {
    String ignored = SlotJobs.begin(world.slot, file, ModelFiles.OTHER.publicKey(), owner);
  }

  @Test
  void theModelOfAJobIsProvenAgainByItsOwnKey() {
    load(5, 10);
    Owner owner = new Owner("start", 7);
    begin(ModelFiles.signed(world.point.spec(), 1, 20, ModelFiles.OTHER), owner);
    world.restart();
    SlotJobs.resume(world.slot, "start");
    assertEquals(21, world.decide());
    assertEquals(Errno.EBUSY, code(() -> load(6, 60)));
    world.restart();
    world.today = ModelFiles.NOW.plus(Duration.ofDays(400));
    assertEquals(ModelFault.KEY_NOT_VALID, refused(() -> SlotJobs.resume(world.slot, "start")));
    assertFalse(world.slot.info().ofJob());
    assertFalse(SlotJobs.end(world.slot, owner));
  }
}
