package io.isle.inference.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.inference.engine.decide.TestPoint;
import io.isle.inference.engine.slot.ModelFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ModelDeployerTest extends EngineWorld {
  @Test
  void aFileInDeployWaitsForItsOwner() throws IOException {
    ModelDeployer deployer = deployer();
    Path file = file("a.islemodel", ModelFiles.signed(point.spec(), 1, 10));
    assertTrue(deployer.canHandle(file.toFile()));
    assertFalse(deployer.canHandle(file("a.jar", new byte[1]).toFile()));
    deployer.install(file.toFile());
    assertEquals(List.of(), audited);
    come();
    while (audited.isEmpty()) {
      Thread.onSpinWait();
    }
    assertEquals("model.load", audited.getFirst().action());
    assertEquals(11, decide());
    Files.delete(file);
    deployer.uninstall(file.toFile());
    assertEquals(TestPoint.RULE, decide());
    assertEquals("model.unload", audited.getLast().action());
  }

  @Test
  void aBadFileInDeployIsAudited() throws IOException {
    come();
    byte[] bad = ModelFiles.signed(point.spec(), 1, 10);
    bad[bad.length - 1] ^= 1;
    deployer().install(file("bad.islemodel", bad).toFile());
    assertEquals(Errno.EINVAL, audited.getFirst().code());
    assertTrue(audited.getFirst().detail().startsWith("BAD_HASH"), audited.toString());
    deployer().install(file("none.islemodel", new byte[7]).toFile());
    assertTrue(audited.getLast().detail().startsWith("BAD_MAGIC"), audited.toString());
  }

  /** The model is that of a file which goes while the platform is down. */
  @Test
  void aFileThatGoesUnseenTakesItsModelOutAtTheStart() throws IOException {
    come();
    Path file = file("a.islemodel", ModelFiles.signed(point.spec(), 1, 10));
    deployer().install(file.toFile());
    restart();
    ModelDeployer ignored = deployer();
    come();
    assertEquals(11, decide());
    Files.delete(file);
    restart();
    ModelDeployer again = deployer();
    assertEquals("model.unload", audited.getLast().action());
    assertEquals("test_point", audited.getLast().object());
    come();
    assertEquals(TestPoint.RULE, decide());
    again.uninstall(file.toFile());
    assertEquals(2, audited.size(), "once");
  }
}
