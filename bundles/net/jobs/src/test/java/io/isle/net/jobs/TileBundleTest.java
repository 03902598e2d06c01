package io.isle.net.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import org.junit.jupiter.api.Test;

class TileBundleTest {
  private final FakeFramework framework = new FakeFramework();

  @Test
  void anUpdateEndsWhenTilesAreOfferedAgain() throws Exception {
    framework.absent = 2;
    framework.tiles().update();
    assertEquals(1, framework.updates);
    assertTrue(framework.absent < 0);
  }

  @Test
  void noTilesAreNamed() {
    framework.offered = false;
    NetException refused = assertThrows(NetException.class, framework.tiles()::update);
    assertEquals(Errno.ENOENT, refused.code());
    assertEquals(0, framework.updates);
  }

  @Test
  void anUpdateThatFailsNamesTheBundle() {
    framework.fails = true;
    NetException failed = assertThrows(NetException.class, framework.tiles()::update);
    assertEquals(Errno.EIO, failed.code());
    assertTrue(failed.getMessage().startsWith("the bundle fake.tile cannot"), failed.getMessage());
  }
}
