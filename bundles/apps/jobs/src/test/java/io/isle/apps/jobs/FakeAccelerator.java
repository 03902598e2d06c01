package io.isle.apps.jobs;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Accelerator;
import io.isle.api.accel.AcceleratorInfo;
import io.isle.api.accel.Accelerators;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.DeviceQuery;
import io.isle.api.base.Errno;
import io.isle.api.device.DeviceClass;
import io.isle.api.device.DeviceState;
import io.isle.api.tenancy.Capability;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One device, {@code fake0}, that really computes: a thread a context runs submissions in order on
 * the JVM's own memory. Faults: {@link #failAt}; a gate that holds the device: {@link #gate}.
 */
final class FakeAccelerator implements Accelerators, Accelerator {
  final long memoryBytes;
  final AtomicLong used = new AtomicLong();
  final AtomicInteger contexts = new AtomicInteger();
  final AtomicInteger submissions = new AtomicInteger();

  /** Submission number (from 1) that ends with {@link #failStatus}, and all after it. */
  volatile int failAt = Integer.MAX_VALUE;

  volatile int failStatus = -Errno.EINTR;

  /** Work waits for this; and {@link #reached} tells that some came. */
  volatile CountDownLatch gate = new CountDownLatch(0);

  volatile CountDownLatch reached = new CountDownLatch(1);

  FakeAccelerator(long memoryBytes) {
    this.memoryBytes = memoryBytes;
  }

  @Override
  public List<AcceleratorInfo> list() {
    return List.of(info());
  }

  @Override
  public Accelerator find(DeviceQuery query) {
    if (query.id().filter(id -> !id.equals("fake0")).isPresent()
        || query.builtin().filter(name -> !FakePrograms.ENTRIES.containsKey(name)).isPresent()) {
      throw new AccelException(Errno.ENODEV, "no device fits " + query + "; there is fake0");
    }
    return this;
  }

  @Override
  public String id() {
    return "fake0";
  }

  @Override
  public AcceleratorInfo info() {
    if (submissions.get() >= failAt && failStatus == -Errno.EINTR) {
      throw new AccelException(Errno.ENODEV, "fake0 is not open");
    }
    return new AcceleratorInfo(
        "fake0",
        DeviceClass.GPU_COMPUTE,
        1,
        1,
        memoryBytes,
        used.get(),
        16,
        contexts.get(),
        4096,
        List.copyOf(FakePrograms.ENTRIES.keySet()));
  }

  @Override
  public DeviceState state() {
    return DeviceState.ACTIVE;
  }

  @Override
  public int epoch() {
    return 1;
  }

  @Override
  public Context open(Capability capability, ContextSpec spec) {
    contexts.incrementAndGet();
    return new FakeContext(this, spec);
  }

  /** The status that the next submission ends with. */
  int nextStatus() throws InterruptedException {
    int number = submissions.incrementAndGet();
    reached.countDown();
    gate.await();
    return number >= failAt ? failStatus : 0;
  }
}
