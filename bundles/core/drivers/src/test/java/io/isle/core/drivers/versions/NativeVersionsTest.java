package io.isle.core.drivers.versions;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.driver.DriverException;
import io.isle.core.drivers.driver.DriverHandle;
import io.isle.core.drivers.nativecode.NativeRuntime;
import io.isle.core.drivers.nativecode.host.Sandbox;
import io.isle.lib.signing.TrustedKeys;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Versions of a driver that come after each other, with the library of the software device. */
class NativeVersionsTest {
  private static final Path NATIVE = Path.of(System.getProperty("isle.native"));
  private static final DriverHandle.OpenRequest REQUEST =
      new DriverHandle.OpenRequest(null, 0, null, cause -> {}, Optional.empty(), null);
  private static final Predicate<GoodLibraries.Good> ANY = good -> true;
  private static final NativeRuntime RUNTIME = new NativeRuntime(NATIVE, 50, Sandbox.DEFAULT);

  @TempDir Path directory;
  private final ProbeCache probes = new ProbeCache();
  private final AtomicReference<Admission> admission = new AtomicReference<>(Admission.OPEN);
  private final List<String> refusals = new ArrayList<>();
  private final List<String> owners = new ArrayList<>();

  /** The files of a version of a bundle that brings this library. */
  private static VersionFiles files(GoodLibraries libraries, String version, String library) {
    return files(libraries, version, library, "compute");
  }

  private static VersionFiles files(
      GoodLibraries libraries, String version, String library, String profile) {
    VersionFiles files = new VersionFiles(libraries, "drivers.x", version, profile);
    try (InputStream in = Files.newInputStream(NATIVE.resolve(library))) {
      libraries.unpack(in, files.library());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return files;
  }

  private DriverHandle look(VersionFiles files) {
    return versions(files).look(() -> {});
  }

  private NativeVersions versions(VersionFiles files) {
    return new NativeVersions(
        this::confined,
        new NativeVersions.Store(
            null, probes, admission, (source, why) -> refusals.add(source + ": " + why)),
        files);
  }

  private NativeRuntime confined(String owner, String profile) {
    owners.add(owner);
    return RUNTIME.with(Sandbox.Profile.of(profile), directory.resolve("cache"));
  }

  @Test
  void aRefusedVersionIsReplacedByTheLastThatWorkedAlsoAfterARestart() throws Exception {
    GoodLibraries libraries = new GoodLibraries(directory);
    VersionFiles first = files(libraries, "1.0.0", "libsoftaccel.so");
    DriverHandle good = look(first);
    assertEquals("drivers.x 1.0.0", good.source());
    good.versions().proven();
    first.delete();

    GoodLibraries restarted = new GoodLibraries(directory);
    DriverHandle handle = look(files(restarted, "2.0.0", "driver-host"));
    assertEquals("soft", handle.info().name());
    assertEquals("drivers.x 1.0.0", handle.source());
    assertTrue(handle.note().startsWith("drivers.x 2.0.0 was refused: "), handle.note());
    assertTrue(handle.note().endsWith("; drivers.x 1.0.0 runs instead"), handle.note());
  }

  @Test
  void withoutOneThatWorkedARefusalIsARefusal() throws Exception {
    GoodLibraries libraries = new GoodLibraries(directory);
    VersionFiles bad = files(libraries, "2.0.0", "driver-host");
    DriverException refused = assertThrows(DriverException.class, () -> look(bad));
    assertFalse(refused.getMessage().isBlank());
  }

  @Test
  void theVersionBeforeStaysAsLongAsTheOneThatReplacedIt() throws Exception {
    GoodLibraries libraries = new GoodLibraries(directory);
    files(libraries, "1.0.0", "libsoftaccel.so").proven(() -> "drivers.x", ANY);
    VersionFiles next = files(libraries, "2.0.0", "libunopenable.so");
    next.proven(() -> "drivers.x", ANY);
    assertEquals(List.of("1.0.0@compute.so", "2.0.0@compute.so"), names("good/drivers.x"));
    GoodLibraries.Good before = next.before(ANY).orElseThrow();
    assertEquals("1.0.0", before.version());
    assertEquals(-1, Files.mismatch(NATIVE.resolve("libsoftaccel.so"), before.library()));
    assertEquals("1.0.0", versionBefore(libraries, next.library()));
    assertEquals("2.0.0", versionBefore(libraries, before.library()));
    next.delete();
    assertFalse(Files.exists(next.library()));
    assertFalse(Files.exists(before.library()));
    assertEquals(Optional.empty(), next.before(ANY));
  }

  private static String versionBefore(GoodLibraries libraries, Path library) {
    return libraries.before("drivers.x", library, ANY).orElseThrow().version();
  }

  private List<String> names(String folder) throws IOException {
    try (var files = Files.list(directory.resolve(folder))) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void whatWasInUseWhenThePlatformWasKilledIsDeletedAndWhatWorkedIsNot() {
    GoodLibraries libraries = new GoodLibraries(directory);
    VersionFiles files = files(libraries, "1.0.0", "libsoftaccel.so");
    files.proven(() -> "drivers.x", ANY);
    GoodLibraries restarted = new GoodLibraries(directory);
    assertFalse(Files.exists(files.library()));
    assertEquals("1.0.0", versionBefore(restarted, files.library()));
  }

  @Test
  void whatWorkedBeforeAndCannotBeReadIsNothingToFallBackOn() throws Exception {
    GoodLibraries libraries = new GoodLibraries(directory);
    Path unreadable = Files.createDirectories(directory.resolve("good/drivers.x/1.0.0@compute.so"));
    DriverHandle next = look(files(libraries, "2.0.0", "libsoftaccel.so"));
    assertEquals(Optional.empty(), next.versions().lastGood());
    next.versions().proven();
    assertEquals(List.of("2.0.0@compute.so"), names("good/drivers.x"));
    assertFalse(Files.exists(unreadable));
  }

  @Test
  void aLibraryThatIsKnownIsBelievedAndAskedWhenThereIsTime() throws Exception {
    GoodLibraries libraries = new GoodLibraries(directory);
    Path first = files(libraries, "1.0.0", "libsoftaccel.so").library();
    VersionFiles second = files(libraries, "1.0.1", "libsoftaccel.so");
    assertFalse(probes.of(RUNTIME, first, line -> {}).remembered());
    assertTrue(probes.of(RUNTIME, second.library(), line -> {}).remembered());
    assertFalse(
        probes.of(new NativeRuntime(NATIVE, 51, Sandbox.DEFAULT), first, line -> {}).remembered());
    DriverHandle handle = look(second);
    assertEquals("soft", handle.info().name());

    Files.copy(NATIVE.resolve("driver-host"), second.library(), REPLACE_EXISTING);
    assertThrows(DriverException.class, handle.versions()::changed);
    Files.copy(NATIVE.resolve("libunopenable.so"), second.library(), REPLACE_EXISTING);
    DriverHandle now = handle.versions().changed().orElseThrow();
    assertEquals("9.9.9", now.info().version(), "it was asked again, as it had not answered");
    Files.copy(NATIVE.resolve("driver-host"), second.library(), REPLACE_EXISTING);
    assertEquals(
        Optional.empty(), handle.versions().changed(), "its answer is known, it is not asked");
  }

  @Test
  void aLibraryThatSaysTheSameWhenItIsAskedAgainHasNotChanged() {
    GoodLibraries libraries = new GoodLibraries(directory);
    DriverHandle first = look(files(libraries, "1.0.0", "libsoftaccel.so"));
    assertEquals("soft", first.info().name());
    DriverHandle second = look(files(libraries, "1.0.1", "libsoftaccel.so"));
    assertEquals(Optional.empty(), second.versions().changed());
  }

  @Test
  void aRefusalIsNotRemembered() throws Exception {
    GoodLibraries libraries = new GoodLibraries(directory);
    Path bad = files(libraries, "2.0.0", "driver-host").library();
    for (int i = 0; i < 2; i++) {
      assertThrows(DriverException.class, () -> probes.of(RUNTIME, bad, line -> {}));
    }
  }

  @Test
  void whenDriversMustBeSignedNothingElseRunsNotEvenWhatWorkedBefore() throws Exception {
    Path keys = directory.resolve("driver-keys");
    Signing.trust(keys, "tests.pub", Signing.KEY);
    GoodLibraries libraries = new GoodLibraries(directory);
    VersionFiles unsigned = files(libraries, "1.0.0", "libsoftaccel.so");
    look(unsigned).versions().proven();

    admission.set(Signing.required(keys, Signing.NOW));
    VersionFiles second = files(libraries, "2.0.0", "libunopenable.so");
    DriverException refused = assertThrows(DriverException.class, () -> look(second));
    assertTrue(
        refused.getMessage().startsWith("signature: the bundle has no signature"),
        refused::getMessage);

    Signing.sign(second.library(), "drivers.x", "2.0.0", Signing.KEY);
    DriverHandle signed = look(second);
    assertEquals("drivers.x 2.0.0", signed.source());
    assertEquals(
        Optional.empty(), signed.versions().lastGood(), "what worked before was not signed");
    signed.versions().proven();

    VersionFiles third = files(libraries, "3.0.0", "libsoftaccel.so");
    DriverHandle older = look(third);
    assertEquals("drivers.x 2.0.0", older.source(), "its signature was kept with it");
    assertTrue(older.note().contains("signature: the bundle has no signature"), older.note());
  }

  /** Whether signatures are required or not: what an unsigned one left must not be waiting. */
  @Test
  void aSignedBundleSharesNoFolderWithOneThatOnlyHasItsName() throws Exception {
    Path keys = directory.resolve("driver-keys");
    Signing.trust(keys, "tests.pub", Signing.KEY);
    admission.set(
        new Admission(false, new TrustedKeys(keys), Signing.required(keys, Signing.NOW).clock()));
    GoodLibraries libraries = new GoodLibraries(directory);
    VersionFiles signed = files(libraries, "1.0.0", "libsoftaccel.so");
    Signing.sign(signed.library(), "drivers.x", "1.0.0", Signing.KEY);
    look(signed).versions().proven();
    for (String version : List.of("2.0.0", "2.0.1", "2.0.2")) {
      VersionFiles unsigned = files(libraries, version, "libunopenable.so");
      Files.writeString(GoodLibraries.signature(unsigned.library()), "nonsense");
      look(unsigned).versions().proven();
    }
    String key = "drivers.x@" + Signing.KEY.publicKey().id().substring(0, 32);
    assertEquals(List.of(key, "drivers.x"), owners.stream().distinct().toList());
    assertEquals(List.of("1.0.0@compute.signature", "1.0.0@compute.so"), names("good/" + key));

    admission.set(Signing.required(keys, Signing.NOW));
    DriverHandle older = look(files(libraries, "3.0.0", "libunopenable.so"));
    assertEquals("drivers.x 1.0.0", older.source(), "what may be loaded, not what is newest");
  }

  @Test
  void aRefusalIsWrittenDownOnce() throws Exception {
    admission.set(Signing.required(directory.resolve("driver-keys"), Signing.NOW));
    NativeVersions unsigned =
        versions(files(new GoodLibraries(directory), "1.0.0", "libsoftaccel.so"));
    for (int i = 0; i < 2; i++) {
      assertThrows(DriverException.class, () -> unsigned.look(() -> {}));
    }
    assertEquals(1, refusals.size());
    assertTrue(
        refusals.getFirst().startsWith("drivers.x 1.0.0: signature: the bundle has no signature"),
        refusals::toString);
  }

  @Test
  void theVersionBeforeRunsInItsOwnSandboxWhateverTheRefusedOneAsksFor() throws Exception {
    GoodLibraries libraries = new GoodLibraries(directory);
    Path keys = directory.resolve("driver-keys");
    Signing.trust(keys, "tests.pub", Signing.KEY);
    admission.set(Signing.required(keys, Signing.NOW));
    VersionFiles first = files(libraries, "1.0.0", "libsoftaccel.so");
    Signing.sign(first.library(), "drivers.x", "1.0.0", Signing.KEY);
    look(first).versions().proven();
    for (String profile : List.of("opencl", "everything")) {
      DriverHandle older = look(files(libraries, "2.0.0", "libunopenable.so", profile));
      assertEquals("drivers.x 1.0.0", older.source(), "what was signed with its profile");
    }
    admission.set(Admission.OPEN);
    DriverHandle older = look(files(libraries, "2.0.0", "libunopenable.so", "everything"));
    assertEquals("drivers.x 1.0.0", older.source());
    assertTrue(older.note().contains("sandbox profile 'everything' is not"), older::note);
  }

  /** Hours may lie between the first look and a recovery. */
  @Test
  void eachLoadLooksAgainWhetherItIsWhatWasSigned() throws Exception {
    GoodLibraries libraries = new GoodLibraries(directory);
    Path keys = directory.resolve("driver-keys");
    Signing.trust(keys, "tests.pub", Signing.KEY);
    admission.set(Signing.required(keys, Signing.NOW));
    VersionFiles files = files(libraries, "1.0.0", "libsoftaccel.so");
    Signing.sign(files.library(), "drivers.x", "1.0.0", Signing.KEY);
    DriverHandle signed = look(files);
    Files.copy(NATIVE.resolve("libunopenable.so"), files.library(), REPLACE_EXISTING);
    for (Executable load :
        List.<Executable>of(() -> signed.open(REQUEST), () -> signed.standby(null, null))) {
      DriverException refused = assertThrows(DriverException.class, load);
      assertTrue(refused.getMessage().contains("signed a different driver: the library's SHA-256"));
    }
  }

  @Test
  void whatIsUnpackedIsReadableByItsOwnerOnly() throws Exception {
    VersionFiles files = files(new GoodLibraries(directory), "1.0.0", "libsoftaccel.so");
    assertEquals(
        "r--------", PosixFilePermissions.toString(Files.getPosixFilePermissions(files.library())));
  }

  @Test
  void aChangeOfTheRulesIsNoticedWhereItMatters() throws Exception {
    Path keys = directory.resolve("driver-keys");
    Signing.trust(keys, "tests.pub", Signing.KEY);
    GoodLibraries libraries = new GoodLibraries(directory);
    VersionFiles files = files(libraries, "1.0.0", "libsoftaccel.so");
    Signing.sign(files.library(), "drivers.x", "1.0.0", Signing.KEY);
    NativeVersions signed = versions(files);
    assertEquals("soft", signed.look(() -> {}).info().name());
    NativeVersions unsigned = versions(files(libraries, "1.0.1", "libsoftaccel.so"));
    assertEquals("soft", unsigned.look(() -> {}).info().name());

    admission.set(Signing.required(keys, Signing.NOW));
    assertTrue(signed.stands());
    assertFalse(unsigned.stands());
    Files.delete(keys.resolve("tests.pub"));
    assertFalse(signed.stands());
    admission.set(Admission.OPEN);
    assertTrue(signed.stands());
    assertTrue(unsigned.stands());
  }
}
