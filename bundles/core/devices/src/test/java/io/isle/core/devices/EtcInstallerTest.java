package io.isle.core.devices;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.felix.fileinstall.ArtifactInstaller;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.BundleContext;

class EtcInstallerTest {
  private static final String PID = "io.isle.ring-a";

  @TempDir Path etc;
  private final List<String> calls = new ArrayList<>();
  private ConfigFilesComponent files;
  private EtcInstaller installer;
  private File file;

  /** FileInstall's own, which fails as that one does when the file is missing. */
  private final class Own implements ArtifactInstaller {
    @Override
    public boolean canHandle(File artifact) {
      return artifact.getName().endsWith(".cfg");
    }

    @Override
    public void install(File artifact) throws IOException {
      calls.add("installed " + Files.readString(artifact.toPath()).strip());
    }

    @Override
    public void update(File artifact) throws IOException {
      calls.add("updated " + Files.readString(artifact.toPath()).strip());
    }

    @Override
    public void uninstall(File artifact) {
      calls.add("uninstalled");
    }
  }

  @BeforeEach
  void make() {
    BundleContext context =
        (BundleContext)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {BundleContext.class},
                (proxy, method, arguments) ->
                    method.getName().equals("getProperty") ? etc.toString() : null);
    files = new ConfigFilesComponent(context, new FakeConfigAdmin());
    installer = new EtcInstaller(files).with(new Own());
    file = etc.resolve(PID + ".cfg").toFile();
  }

  @Test
  void onlySettingsFilesOfTheFolderAreItsOwn() {
    assertTrue(installer.canHandle(file));
    assertFalse(installer.canHandle(etc.resolve("a.jar").toFile()));
    assertFalse(installer.canHandle(etc.resolve("deploy").resolve("a.cfg").toFile()));
    assertFalse(installer.with().canHandle(file));
  }

  @Test
  void aFileIsTakenUpAsItIsNow() throws Exception {
    files.set(PID, Map.of("key", "1"));
    installer.install(file);
    files.set(PID, Map.of("key", "2"));
    installer.update(file);
    assertTrue(files.delete(PID));
    installer.uninstall(file);
    assertEquals(List.of("updated key = 1", "updated key = 2", "uninstalled"), calls);
  }

  @Test
  void aNewFileThatIsGoneAgainIsNoFailure() throws Exception {
    installer.install(file);
    installer.update(file);
    assertEquals(List.of(), calls);
  }

  @Test
  void aDeletedFileThatIsThereAgainKeepsItsConfiguration() throws Exception {
    files.set(PID, Map.of("key", "1"));
    installer.uninstall(file);
    assertEquals(List.of("updated key = 1"), calls);
  }

  @Test
  void aFailureOfFileInstallIsItsOwn() {
    EtcInstaller stopped = installer.with();
    assertThrows(IllegalStateException.class, () -> stopped.uninstall(file));
  }

  @Test
  void noChangeBeginsWhileAFileIsTakenUp() throws Exception {
    CountDownLatch taken = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Thread watcher =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    files.between(
                        () -> {
                          taken.countDown();
                          go.await();
                        });
                  } catch (Exception e) {
                    throw new AssertionError(e);
                  }
                });
    taken.await();
    Thread change = Thread.ofPlatform().start(() -> files.set(PID, Map.of("key", "1")));
    while (change.getState() != Thread.State.BLOCKED) {
      assertTrue(change.isAlive(), "the change did not wait");
      Thread.onSpinWait();
    }
    assertFalse(file.exists());
    go.countDown();
    change.join();
    watcher.join();
    assertTrue(file.exists());
  }
}
