package io.isle.apps.jobs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.Accelerators;
import io.isle.api.jobs.JobAction;
import io.isle.api.jobs.JobInfo;
import io.isle.api.jobs.JobObserver;
import io.isle.api.jobs.JobRequest;
import io.isle.api.jobs.JobResult;
import io.isle.api.jobs.JobState;
import io.isle.api.jobs.SetupKind;
import io.isle.apps.jobs.platform.ArrayBudget;
import io.isle.apps.jobs.platform.CrashBlame;
import io.isle.apps.jobs.platform.Providers;
import io.isle.apps.jobs.spec.JobParser;
import io.isle.core.testing.FakeCapabilities;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The jobs service on a {@link FakeAccelerator}; remembers what jobs print. */
final class Harness implements JobObserver {
  final FakeAccelerator device;
  volatile Accelerators accelerators;
  volatile FakeCapabilities capabilities = new FakeCapabilities();
  final FakeCore core = new FakeCore();
  final FakeGroups groups = new FakeGroups(core);
  final FakeHosts hosts = new FakeHosts();

  /** Whether the service of groups is there. */
  volatile boolean groupsAreThere = true;

  final Path data;
  final JobsService service;
  final ByteArrayOutputStream out = new ByteArrayOutputStream();
  volatile JobInfo started;
  volatile Thread runner;
  volatile long progress;

  /** The job has looked for its device twice. */
  final CountDownLatch looked = new CountDownLatch(2);

  final AtomicInteger recovering = new AtomicInteger();

  /** Called when the job says that it waits for its device. */
  volatile Runnable onRecovering = () -> {};

  /** Called when a piece of work is done. */
  volatile Runnable onProgress = () -> {};

  /** Called when a loop tells how far it is. */
  volatile Runnable onTurn = () -> {};

  /** Makes the threads of streams. */
  volatile BiFunction<String, Runnable, Thread> threads =
      (name, work) -> Thread.ofPlatform().name(name).unstarted(work);

  /** Called when a job begins. */
  volatile Runnable onStarted = () -> {};

  /** How long the job let time go by between tries; none of it really goes by. */
  final List<Long> pauses = new CopyOnWriteArrayList<>();

  /** Called instead of a pause. */
  volatile Runnable onPause = () -> {};

  ArrayBudget arrays = new ArrayBudget(1 << 30);

  /** Kinds of steps of other bundles. */
  final Providers<JobAction> actions =
      new Providers<>("a kind of steps", JobAction::key, JobParser::isKindOfStep);

  /** Kinds of set-up resources of other bundles. */
  final Providers<SetupKind> kinds =
      new Providers<>("a kind of set-up resources", SetupKind::key, JobParser::isKindOfSetup);

  final CrashBlame blame =
      new CrashBlame(
          ns -> {
            pauses.add(ns);
            onPause.run();
          },
          () -> 0.5);

  /** Whether the services of the core are there. */
  volatile boolean coreIsThere = true;

  /** Called when one of them is looked for and not there. */
  volatile Runnable onAbsent = () -> {};

  Harness(long memoryBytes) {
    device = new FakeAccelerator(memoryBytes);
    accelerators = device;
    try {
      data = Files.createTempDirectory(Path.of("target"), "history").toAbsolutePath();
      service = service(data.resolve("history.jsonl"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  JobsService service(Path history) {
    return new JobsService(
        new FakePlatform(this, history.getParent(), System.nanoTime()), new History(history));
  }

  JobResult run(Path job, Path directory, Map<String, String> parameters) {
    return service.run(new JobRequest(job, directory, parameters, "tester", false), this);
  }

  JobResult asAdmin(Path job, Map<String, String> parameters) {
    return service.run(
        new JobRequest(job, job.getParent().toAbsolutePath(), parameters, "admin", true), this);
  }

  /** Runs steps to their good end. */
  JobResult done(Path folder, String steps) throws IOException {
    JobResult result = steps(folder, steps);
    assertEquals(JobState.DONE, result.state(), result.error());
    return result;
  }

  /** Runs steps that fail with {@code message}. */
  JobResult failed(Path folder, String steps, String message) throws IOException {
    JobResult result = steps(folder, steps);
    assertEquals(JobState.FAILED, result.state());
    assertTrue(result.error().contains(message), result.error());
    return result;
  }

  private JobResult steps(Path folder, String steps) throws IOException {
    JobResult result = run(job(folder, steps), folder.toAbsolutePath(), Map.of());
    assertNothingLeft();
    return result;
  }

  /** A job file of these steps. */
  static Path job(Path folder, String steps) throws IOException {
    return Files.writeString(
        folder.resolve("job.yml"), "job: j\nretries: 3\nsteps:\n" + steps.indent(2));
  }

  /** Runs it in a thread of its own. */
  CompletableFuture<JobResult> begin(Path job, Path directory, Map<String, String> parameters) {
    CompletableFuture<JobResult> result = new CompletableFuture<>();
    runner =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    result.complete(run(job, directory, parameters));
                  } catch (RuntimeException e) {
                    result.completeExceptionally(e);
                  }
                });
    return result;
  }

  @Override
  public void started(JobInfo job) {
    started = job;
    onStarted.run();
  }

  @Override
  public void progress(long done, long total) {
    progress = done;
    onProgress.run();
  }

  @Override
  public void turn(String step, long done, long total) {
    onTurn.run();
  }

  @Override
  public void recovering(String id) {
    recovering.incrementAndGet();
    onRecovering.run();
  }

  @Override
  public void print(byte[] text, int length) {
    out.write(text, 0, length);
  }

  String printed() {
    return out.toString(UTF_8);
  }

  /** Waits for what another thread does and tells nobody; not for ever. */
  static void until(BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() - end < 0, "it does not happen");
      Thread.onSpinWait();
    }
  }

  static boolean threadExists(Predicate<String> name) {
    return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).anyMatch(name);
  }

  /** Names in a folder, sorted. */
  List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  /** No context, memory, capability or thread of a job is left. */
  void assertNothingLeft() {
    assertEquals(0, arrays.taken(), "bytes of arrays");
    assertEquals(0, device.contexts.get());
    assertEquals(0, device.used.get());
    assertTrue(capabilities.list().isEmpty());
    List<String> threads =
        Thread.getAllStackTraces().keySet().stream()
            .map(Thread::getName)
            .filter(name -> name.startsWith("isle-job-"))
            .toList();
    assertEquals(List.of(), threads);
  }
}
