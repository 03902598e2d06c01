package io.isle.core.drivers.nativecode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.api.device.Priority;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.AllocArgs;
import io.isle.api.driver.ContextArgs;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.DeviceSeed;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.PageMigration;
import io.isle.api.driver.Programs;
import io.isle.core.drivers.nativecode.control.CoreConnection;
import io.isle.core.drivers.nativecode.host.Sandbox;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A host process that attacks over everything it shares with the core: whatever it does, it ends
 * its own device at the most. A device of another host works on, next to it.
 */
class HostileHostTest {
  private static final int INDICES = 1024;
  private static final long CONTEXT = Ids.of(Ids.CONTEXT, 1, 0);
  private static final long PROGRAM = Ids.of(Ids.PROGRAM, 1, 0);
  private static final byte[] NOOP = "noop".getBytes(StandardCharsets.UTF_8);
  private static final ContextArgs ARGS = new ContextArgs(1, Priority.NORMAL, 0, 0, 0, 0);
  private static final AllocArgs PAGE = new AllocArgs(4096, 4096, AllocArgs.PageSize.STANDARD, 0);

  @TempDir static Path folder;
  private static SoftDevice neighbour;
  private static int neighbourEnded;

  @BeforeAll
  static void open() throws IOException {
    Files.createSymbolicLink(
        folder.resolve("driver-host"), SoftDevice.NATIVE.resolve("hostile-host"));
    neighbour = new SoftDevice(2, Map.of());
    neighbour.context(0);
    var ignored =
        neighbour
            .device
            .extension(Programs.class)
            .orElseThrow()
            .load(SoftDevice.CONTEXT, PROGRAM, Programs.Kind.BUILTIN, NOOP);
  }

  @AfterAll
  static void close() {
    neighbour.close();
  }

  /** One hostile host and what the core had to do with it. */
  private static final class Attack implements AutoCloseable {
    final FakeAttachment attachment = new FakeAttachment();
    final CompletableFuture<RecoveryCause> lost = new CompletableFuture<>();
    final Set<Long> inFlight = new HashSet<>();
    int accepted;
    int lastDetail;
    int submitted;
    NativeOpened opened;
    DriverException refused;

    Attack(String mode) {
      attachment.sink =
          (tag, status, start, end, busy, detail) -> {
            if (status < 0 || status > 4) {
              return -Errno.EINVAL;
            }
            if (!inFlight.remove(tag)) {
              return -Errno.ESTALE;
            }
            accepted++;
            lastDetail = detail;
            return 0;
          };
      attachment.commands().memory().fill((byte) 0x5a);
      NativeRuntime runtime = new NativeRuntime(folder, 50, Sandbox.DEFAULT);
      NativeDriver driver = NativeDriver.look(runtime, folder.resolve(mode), line -> {});
      assertEquals("hostile", driver.info().name());
      DeviceSpec spec = new DeviceSpec("hostile0", new DeviceSeed("0", "", ""), 2, true, Map.of());
      try {
        opened = driver.open(spec, 1, CoreConnection.of(attachment), lost::complete);
      } catch (DriverException e) {
        refused = e;
      }
    }

    AccelDevice device() {
      return opened.device();
    }

    void tolerated(Runnable call) {
      try {
        call.run();
      } catch (DriverException e) {
        assertFalse(e.getMessage().isEmpty());
        refused = e;
      }
    }

    /** As a core that knows nothing of the host's intentions. */
    void use(int submissions) {
      tolerated(() -> device().createContext(CONTEXT, ARGS));
      tolerated(() -> device().allocate(CONTEXT, Ids.of(Ids.MEMORY, 1, 0), PAGE));
      tolerated(
          () ->
              device()
                  .extension(Programs.class)
                  .orElseThrow()
                  .load(CONTEXT, PROGRAM, Programs.Kind.BUILTIN, NOOP));
      for (int i = 0; i < submissions && device().alive(); i++) {
        submit();
      }
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
      for (int quiet = 0; quiet < 200 && device().alive() && System.nanoTime() < deadline; ) {
        quiet = device().poll(256) == 0 ? quiet + 1 : 0;
        java.util.concurrent.locks.LockSupport.parkNanos(100_000);
      }
      tolerated(device()::utilization);
      tolerated(device()::power);
      tolerated(() -> device().resetContext(CONTEXT));
      tolerated(
          () ->
              device()
                  .extension(PageMigration.class)
                  .orElseThrow()
                  .migrate(CONTEXT, List.of(), PageMigration.Location.CPU, 0));
      int ignored = device().preempt(CONTEXT, 2);
    }

    void submit() {
      long tag = (submitted / INDICES + 1L) << 32 | submitted % INDICES;
      inFlight.add(tag);
      if (device().submit(CONTEXT, tag, attachment.commands().memory(), 0, 128) == 0) {
        submitted++;
      } else {
        inFlight.remove(tag);
      }
      int ignored = device().poll(16);
    }

    /** Why the device was lost; polls on until then, since a host may be slow to do its worst. */
    RecoveryCause cause() throws Exception {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
      while (!lost.isDone() && System.nanoTime() < deadline) {
        int ignored = device().poll(256);
        java.util.concurrent.locks.LockSupport.parkNanos(100_000);
      }
      return lost.get(1, TimeUnit.SECONDS);
    }

    /** Ends the device; then nothing of the host is left, and nothing of the core is changed. */
    @Override
    public void close() {
      if (opened != null) {
        ProcessHandle host = ProcessHandle.of(opened.hostPid().orElseThrow()).orElse(null);
        device().close();
        assertTrue(host == null || !host.isAlive(), "the hostile host lives on");
      }
      assertTrue(accepted <= submitted, accepted + " completions of " + submitted);
      MemorySegment commands = attachment.commands().memory();
      assertEquals(-1, commands.mismatch(MemorySegment.ofArray(filled(commands.byteSize()))));
      attachment.close();
      neighbourWorks();
    }

    private static byte[] filled(long bytes) {
      byte[] all = new byte[(int) bytes];
      java.util.Arrays.fill(all, (byte) 0x5a);
      return all;
    }
  }

  private static void neighbourWorks() {
    assertTrue(neighbour.dispatch(PROGRAM) > 0);
    neighbour.awaitEnded(++neighbourEnded);
    assertEquals(0, neighbour.ended.getLast().status());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"wrong-tags", "index-out-of-range", "old-generation", "replay", "wrong-status"})
  void whoInventsCompletionsIsEnded(String mode) throws Exception {
    try (Attack attack = new Attack(mode)) {
      attack.use(mode.equals("wrong-status") ? 2000 : 200);
      assertEquals(RecoveryCause.Kind.PROTOCOL, attack.cause().kind());
      assertTrue(attack.cause().text().contains("not in flight"), attack.cause().text());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "answers-another",
        "answers-too-long",
        "answers-short",
        "answers-before-asked",
        "points-outside",
        "points-elsewhere",
        "gives-too-much",
        "gives-too-little"
      })
  void whoAnswersWronglyIsEnded(String mode) throws Exception {
    try (Attack attack = new Attack(mode)) {
      attack.use(10);
      RecoveryCause.Kind kind = attack.cause().kind();
      assertTrue(
          kind == RecoveryCause.Kind.PROTOCOL || kind == RecoveryCause.Kind.HANG, kind.text());
    }
  }

  @Test
  void whoClaimsToHaveReadTheFutureIsEnded() throws Exception {
    try (Attack attack = new Attack("reads-ahead")) {
      attack.use(3000);
      assertEquals(RecoveryCause.Kind.PROTOCOL, attack.cause().kind());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"boasts", "boasts-of-memory"})
  void whoBoastsIsNotOpened(String mode) {
    try (Attack attack = new Attack(mode)) {
      assertEquals(Errno.EPROTO, attack.refused.code());
    }
  }

  @Test
  void whoHangsUpIsGone() throws Exception {
    try (Attack attack = new Attack("closes-socket")) {
      attack.use(10);
      assertEquals(RecoveryCause.Kind.CRASH, attack.cause().kind());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "garbage",
        "garbage-on-the-layout",
        "answers-noise",
        "says-it-crashed",
        "rings-without-end",
        "floods-output",
        "floods-lines",
        "sends-descriptors",
        "completes-while-closing",
        "stays"
      })
  void noiseHurtsItsOwnDeviceAtMost(String mode) {
    try (Attack attack = new Attack(mode)) {
      attack.use(300);
    }
  }

  @Test
  void segmentsCannotBeTakenAwayOrWritten() {
    try (Attack attack = new Attack("truncate")) {
      attack.use(3);
      assertEquals(3, attack.accepted);
      assertEquals(0, attack.lastDetail, "an attempt on a segment succeeded");
      MemorySegment agent = attack.attachment.agent().memory();
      assertEquals(0, agent.get(ValueLayout.JAVA_BYTE, agent.byteSize() - 1));
    }
  }

  @Test
  void startsInNoOrderOfTimeAreTheOnesAskedFor() {
    try (Attack attack = new Attack("time-travel")) {
      attack.use(50);
      assertTrue(attack.attachment.starts.size() <= attack.submitted);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"stops-reading", "lies-about-heartbeat"})
  void whoStopsReadingBlocksNobody(String mode) {
    try (Attack attack = new Attack(mode)) {
      attack.use(5000);
      assertTrue(attack.submitted < 5000, "a ring that nobody reads never fills");
      assertEquals(
          -Errno.EAGAIN,
          attack.device().submit(CONTEXT, 1L << 50, attack.attachment.commands().memory(), 0, 128));
      assertEquals(mode.equals("stops-reading"), attack.opened.requestsWait() && still(attack));
    }
  }

  /** Whether the heartbeat stands. */
  private static boolean still(Attack attack) {
    long now = attack.opened.heartbeat();
    for (int i = 0; i < 1000; i++) {
      if (attack.opened.heartbeat() != now) {
        return false;
      }
      java.util.concurrent.locks.LockSupport.parkNanos(20_000);
    }
    return true;
  }

  @Test
  void whoTakesNoSegmentsBlocksNobody() throws Exception {
    try (Attack attack = new Attack("never-receives")) {
      for (int i = 0; i < 2000 && attack.device().alive(); i++) {
        long context = Ids.of(Ids.CONTEXT, 1, i);
        attack.tolerated(() -> attack.device().createContext(context, ARGS));
      }
      assertEquals(RecoveryCause.Kind.PROTOCOL, attack.cause().kind());
    }
  }

  @Test
  void descriptorsThatAreSentReachNobody() throws IOException {
    try (Attack attack = new Attack("sends-descriptors")) {
      attack.use(20);
    }
    long before = descriptors();
    try (Attack attack = new Attack("sends-descriptors")) {
      attack.use(20);
    }
    // those of a process that has ended are closed by the JDK's own threads, a moment later
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (descriptors() > before && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
    assertTrue(descriptors() <= before, descriptors() + " descriptors after " + before);
  }

  private static long descriptors() throws IOException {
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return open.count();
    }
  }
}
