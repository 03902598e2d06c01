package io.isle.itests.inside;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.isle.api.device.DeviceNode;
import io.isle.api.device.DeviceState;
import io.isle.api.device.RecoveryLog;
import io.isle.api.jobs.JobObserver;
import io.isle.api.jobs.JobRequest;
import io.isle.api.jobs.JobResult;
import io.isle.api.jobs.JobState;
import io.isle.api.jobs.Jobs;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import javax.inject.Inject;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.osgi.framework.BundleContext;

/** Inside the distribution: jobs with bad kernels, and the other jobs of their OpenCL device. */
@RunWith(WithOpenCl.class)
@ExamReactorStrategy(PerJvm.class)
public class OpenClJobsIT {
  private static final String DEVICE = "opencl0";
  private static final int ROWS = 128;
  private static final int COLUMNS = 16 * 1024;
  private static final long PATIENCE_S = 60;

  private static final String KERNELS =
      """
      kernel void sum(global const uint *x, global uint *y)
      {
          size_t row = get_global_id(0);
          uint sum = 0;
          for (uint i = 0; i < 16384; i++)
              sum += x[row * 16384 + i];
          y[row] = sum;
      }
      kernel void stray(global uint *x, ulong at)
      {
          x[at] = 1;
      }
      kernel void spin(global uint *x, ulong rounds)
      {
          uint v = x[0] + 1;
          for (ulong i = 0; i < rounds; i++)
              v = v * 1664525u + 1013904223u;
          x[0] = v;
      }
      """;

  private static final String GOOD =
      """
      job: good
      device: opencl0
      steps:
        - program: {file: kernels.cl, kernel: sum}
          stream: n
          in: {x: {file: %s, format: raw, type: u32, shape: [n, 16384]}}
          out: {y: {file: %s, format: raw, type: u32, shape: [n]}}
          size: [n]
      """;

  private static final String BAD =
      """
      job: bad
      device: opencl0
      streams:
        - name: only
          max_execution_us: 300000
          steps:
            - name: step
              program: {file: kernels.cl, kernel: %s}
              in: {x: {values: [1], type: u32, shape: [1]}}
              out: {x: {file: never, format: raw}}
              args: [x, %d]
              size: [1]
      """;

  @Inject private BundleContext context;
  private Inside inside;
  private Path folder;

  @Configuration
  public Option[] configuration() {
    return Container.options();
  }

  @Before
  public void aDeviceIsThere() throws Exception {
    inside = new Inside(context);
    folder = Files.createDirectories(Path.of(System.getProperty("karaf.data"), "jobs-it"));
    Files.writeString(folder.resolve("kernels.cl"), KERNELS);
    Inside.eventually(
        () -> {
          DeviceNode node = inside.device(DEVICE);
          assertEquals(node.error(), DeviceState.ACTIVE, node.state());
          return node;
        });
  }

  @After
  public void itIsAsItWas() {
    inside.isAsItWas("| isle-failure-" + DEVICE);
  }

  @Test
  public void aKernelThatDoesNotEndIsStoppedAtItsLimit() throws Exception {
    JobResult bad = besideAnotherJob("spin", Long.MAX_VALUE, 1);
    assertTrue(bad.error(), bad.error().startsWith("opencl0: step step: "));
    assertTrue(bad.error(), bad.error().contains("execution limit"));
    assertTrue(bad.error(), bad.error().contains("ETIMEDOUT"));
    assertEquals(0, bad.survival().retries());
  }

  @Test
  public void aKernelThatStoresOutOfBoundsIsToBlameAfterThreeTries() throws Exception {
    JobResult bad = besideAnotherJob("stray", 1L << 40, 3);
    assertTrue(bad.error(), bad.error().contains("kernels.cl (kernel stray) ends the device's"));
    assertTrue(bad.error(), bad.error().contains("3 tries in a row"));
    assertEquals(2, bad.survival().retries());
  }

  /**
   * The bad job fails, having cost the device so many recoveries; a job that computes all the while
   * goes through them and is right, and so is the next one.
   */
  private JobResult besideAnotherJob(String kernel, long argument, int recoveries)
      throws Exception {
    Path fifo = folder.resolve("fifo-" + kernel);
    assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor());
    try {
      return besideAnotherJob(kernel, argument, recoveries, fifo);
    } finally {
      // whoever cleans up behind the container would wait for a writer
      Files.delete(fifo);
    }
  }

  private JobResult besideAnotherJob(String kernel, long argument, int recoveries, Path fifo)
      throws Exception {
    long before = newest();
    CountDownLatch badIsOver = new CountDownLatch(1);
    CountDownLatch goodComputes = new CountDownLatch(3);
    FutureTask<JobResult> good =
        begin(
            () ->
                run(
                    GOOD.formatted(fifo.getFileName(), "sums"),
                    new JobObserver() {
                      @Override
                      public void progress(long done, long total) {
                        goodComputes.countDown();
                      }
                    }));
    FutureTask<Integer> fed = begin(() -> feed(fifo, badIsOver));
    JobResult bad;
    try {
      assertTrue(goodComputes.await(PATIENCE_S, TimeUnit.SECONDS));
      bad = run(BAD.formatted(kernel, argument), JobObserver.NONE);
    } finally {
      badIsOver.countDown();
    }
    assertEquals(bad.error(), JobState.FAILED, bad.state());
    assertEquals(1, bad.exitStatus());
    JobResult result = good.get(PATIENCE_S, TimeUnit.SECONDS);
    // before the feed is asked, which finds a pipe without a reader when the job has failed
    assertEquals(result.error(), JobState.DONE, result.state());
    isRight(result, fed.get(PATIENCE_S, TimeUnit.SECONDS));
    assertEquals(before + recoveries, newest());
    Path file = Files.write(folder.resolve("one"), block());
    isRight(run(GOOD.formatted(file.getFileName(), "sums"), JobObserver.NONE), 1);
    assertEquals(before + recoveries, newest());
    return bad;
  }

  private static <T> FutureTask<T> begin(Callable<T> call) {
    FutureTask<T> task = new FutureTask<>(call);
    Thread.ofPlatform().daemon().start(task);
    return task;
  }

  /** Gives the same rows until told to stop; returns how often. */
  private static int feed(Path fifo, CountDownLatch stop) throws Exception {
    byte[] block = block();
    int blocks = 0;
    try (OutputStream out = Files.newOutputStream(fifo)) {
      while (stop.getCount() > 0) {
        out.write(block);
        blocks++;
      }
    }
    return blocks;
  }

  /** Each element of row r is r + 1. */
  private static byte[] block() {
    ByteBuffer block =
        ByteBuffer.allocate(ROWS * COLUMNS * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < ROWS * COLUMNS; i++) {
      block.putInt(i / COLUMNS + 1);
    }
    return block.array();
  }

  private void isRight(JobResult result, int blocks) throws Exception {
    assertEquals(result.error(), JobState.DONE, result.state());
    ByteBuffer expected =
        ByteBuffer.allocate(blocks * ROWS * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < blocks * ROWS; i++) {
      expected.putInt((i % ROWS + 1) * COLUMNS);
    }
    assertArrayEquals(expected.array(), Files.readAllBytes(folder.resolve("sums")));
  }

  private JobResult run(String text, JobObserver observer) throws Exception {
    String name = text.substring("job: ".length(), text.indexOf('\n'));
    Path job = Files.writeString(folder.resolve(name + ".yml"), text);
    JobRequest request = new JobRequest(job, folder.toAbsolutePath(), Map.of(), "itests", false);
    return inside.with(Jobs.class, jobs -> jobs.run(request, observer));
  }

  private long newest() {
    return inside.with(
        RecoveryLog.class,
        log -> log.of(DEVICE).stream().mapToLong(recovery -> recovery.number()).max().orElse(0));
  }
}
