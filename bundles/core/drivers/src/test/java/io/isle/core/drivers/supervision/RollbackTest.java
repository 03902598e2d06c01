package io.isle.core.drivers.supervision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Setting;
import io.isle.api.device.DeviceState;
import io.isle.api.device.Recovery;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.DeviceRegistry.DeviceReport;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.DeviceRegistry.Running;
import io.isle.core.drivers.driver.DriverHandle;
import io.isle.core.drivers.nativecode.NativeRuntime;
import io.isle.core.drivers.nativecode.host.Sandbox;
import io.isle.core.drivers.recovery.DriverTuning;
import io.isle.core.drivers.versions.Admission;
import io.isle.core.drivers.versions.GoodLibraries;
import io.isle.core.drivers.versions.NativeVersions;
import io.isle.core.drivers.versions.ProbeCache;
import io.isle.core.drivers.versions.VersionFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real libraries: a version of the software device that works, then one that does not open. */
@Timeout(120)
class RollbackTest {
  private static final Path NATIVE = Path.of(System.getProperty("isle.native"));
  private static final RecoveryCause UPDATED =
      new RecoveryCause(RecoveryCause.Kind.UPDATE, "updated");

  @TempDir Path directory;

  private final Rig rig = new Rig(Rig.QUICK);

  @AfterEach
  void close() {
    rig.close();
  }

  private DriverHandle version(GoodLibraries libraries, String version, String library) {
    VersionFiles files = new VersionFiles(libraries, "drivers.x", version, "compute");
    return new NativeVersions(
            (owner, profile) -> new NativeRuntime(NATIVE, 50, Sandbox.DEFAULT),
            new NativeVersions.Store(
                libraries,
                new ProbeCache(),
                new AtomicReference<>(Admission.OPEN),
                (source, why) -> {}),
            files)
        .look(
            () -> {
              try (InputStream in = Files.newInputStream(NATIVE.resolve(library))) {
                libraries.unpack(in, files.library());
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });
  }

  private static DeviceSpec spec(DriverHandle driver, int tier) {
    Map<String, String> values = new HashMap<>();
    for (Setting setting : driver.info().settings()) {
      values.put(setting.key(), setting.normalise(setting.defaultValue()));
    }
    return Rig.spec(tier, values);
  }

  @Test
  void aVersionThatDoesNotOpenIsRolledBackInBothTiersAndRecoversThere() throws Exception {
    GoodLibraries libraries = new GoodLibraries(directory);
    DriverHandle good = version(libraries, "1.0.0", "libsoftaccel.so");
    DeviceSupervisor before = rig.supervisor();
    before.apply(good, spec(good, 2)).join();
    Running first = rig.reports().getLast().running().orElseThrow();
    assertEquals(List.of("drivers.x 1.0.0", ""), List.of(first.source(), first.rollback()));
    before.depart(UPDATED).join();

    DriverHandle bad = version(libraries, "2.0.0", "libunopenable.so");
    assertEquals("9.9.9", bad.info().version());
    DeviceSupervisor updated = rig.supervisor();
    for (int tier = 2; tier >= 1; tier--) {
      updated.apply(bad, spec(bad, tier)).join();
      DeviceReport report = rig.reports().getLast();
      assertEquals(DeviceState.ACTIVE, report.state());
      Running running = report.running().orElseThrow();
      assertEquals("drivers.x 1.0.0", running.source());
      assertEquals(first.version(), running.version());
      assertEquals(tier, running.spec().tier());
      assertEquals(
          "the driver refused 'open': EIO: open failed with -5: this version does not open;"
              + " drivers.x 1.0.0 runs instead of drivers.x 2.0.0",
          running.rollback());
      assertEquals(running.rollback(), report.error());
      assertEquals(running.rollback(), updated.rollback());
      Recovery recovery = rig.book.of("x0").getLast();
      assertEquals(Recovery.Outcome.RECOVERED, recovery.outcome());
      assertEquals(Rig.QUICK.supervision().attempts() + 1, recovery.attempts());
    }
    updated.remove().join();
  }

  @Test
  void theOldVersionsStandbyIsNotTakenForTheNewVersion() throws Exception {
    rig.tuning =
        new DriverTuning(
            true,
            rig.tuning.drain(),
            rig.tuning.hang(),
            rig.tuning.participant(),
            rig.tuning.supervision());
    GoodLibraries libraries = new GoodLibraries(directory);
    version(libraries, "1.0.0", "libsoftaccel.so").versions().proven();
    DriverHandle bad = version(libraries, "2.0.0", "libunopenable.so");
    DeviceSupervisor updated = rig.supervisor();
    updated.apply(bad, spec(bad, 2)).join();
    DeviceReport ignored = rig.await(report -> report.standbyPid().isPresent());
    updated.reload(bad, spec(bad, 2)).join();
    assertEquals(
        "drivers.x 1.0.0",
        rig.reports().getLast().running().orElseThrow().source(),
        "the new version does not open in any host");
    updated.remove().join();
  }

  @Test
  void aDeviceThatWasRolledBackRecoversAlthoughTheNewVersionWorksElsewhere() throws Exception {
    GoodLibraries libraries = new GoodLibraries(directory);
    version(libraries, "1.0.0", "libsoftaccel.so").versions().proven();
    DriverHandle next = version(libraries, "2.0.0", "libunopenable.so");
    DeviceSupervisor device = rig.supervisor();
    device.apply(next, spec(next, 2)).join();
    next.versions().proven();
    long host = rig.reports().getLast().hostPid().orElseThrow();
    assertTrue(ProcessHandle.of(host).orElseThrow().destroyForcibly());
    DeviceReport ignored = rig.await(report -> !rig.book.of("x0").isEmpty());
    Recovery recovery = rig.book.of("x0").getLast();
    assertEquals(Recovery.Outcome.RECOVERED, recovery.outcome());
    assertEquals(1, recovery.attempts());
    device.remove().join();
  }

  @Test
  void aVersionThatWorkedElsewhereFirstIsRolledBackWhereItDoesNotOpen() {
    GoodLibraries libraries = new GoodLibraries(directory);
    version(libraries, "1.0.0", "libsoftaccel.so").versions().proven();
    DriverHandle next = version(libraries, "2.0.0", "libunopenable.so");
    next.versions().proven();
    DeviceSupervisor device = rig.supervisor();
    device.apply(next, spec(next, 2)).join();
    DeviceReport report = rig.reports().getLast();
    assertEquals(DeviceState.ACTIVE, report.state());
    assertEquals("drivers.x 1.0.0", report.running().orElseThrow().source());
    device.remove().join();
  }

  @Test
  void inTier1TheLibraryOfTheVersionBeforeIsNotLoadedFromWhereItIsKept() throws Exception {
    GoodLibraries libraries = new GoodLibraries(directory);
    version(libraries, "1.0.0", "libsoftaccel.so").versions().proven();
    DriverHandle next = version(libraries, "2.0.0", "libunopenable.so");
    DeviceSupervisor device = rig.supervisor();
    device.apply(next, spec(next, 1)).join();
    assertEquals(DeviceState.ACTIVE, rig.reports().getLast().state());
    String maps = Files.readString(Path.of("/proc/self/maps"));
    assertTrue(maps.contains(directory.toString()));
    assertFalse(maps.contains(directory.resolve("good").toString()));
    device.remove().join();
  }
}
