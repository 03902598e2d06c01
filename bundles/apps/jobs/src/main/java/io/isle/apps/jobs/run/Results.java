package io.isle.apps.jobs.run;

import io.isle.api.base.Errno;
import io.isle.apps.jobs.data.ElementType;
import io.isle.apps.jobs.data.HostArray;
import io.isle.apps.jobs.kernel.Extents;
import io.isle.apps.jobs.spec.Buffers;
import io.isle.apps.jobs.spec.JobSpec;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** Which steps are done, and what they made for later ones. Thread-safe. */
final class Results {
  private final Map<Buffers.StepRef, CountDownLatch> done = new HashMap<>();
  private final Map<Key, Made> made = new ConcurrentHashMap<>();
  private final Map<Key, Integer> near = new ConcurrentHashMap<>();
  private final Set<Key> far = new HashSet<>();

  private record Key(Buffers.StepRef step, String buffer) {}

  /**
   * What a step made.
   *
   * @param stream the context that it is on
   * @param resident where it is
   * @param host a copy, where {@link #isReadElsewhere}
   */
  record Made(
      ElementType type,
      List<Long> shape,
      StreamContext stream,
      Resident resident,
      Optional<HostArray> host) {
    /**
     * Takes its shape for what {@code input} says.
     *
     * @throws io.isle.api.jobs.JobException when type or shape do not fit
     */
    void bind(Buffers.Input input, Extents extents) {
      if (input.type().filter(wanted -> wanted != type).isPresent()) {
        throw input
            .where()
            .failure(
                Errno.EINVAL,
                "has elements of "
                    + type.text()
                    + "; the job file gives "
                    + input.type().get().text());
      }
      extents.bind(input, shape);
    }
  }

  /**
   * @param devices on which each step runs
   */
  Results(List<JobSpec.Stream> streams, Map<Buffers.StepRef, String> devices) {
    for (JobSpec.Stream stream : streams) {
      for (JobSpec.Step step : stream.steps()) {
        Buffers.StepRef ref = stream.ref(step);
        done.put(ref, new CountDownLatch(1));
        for (Buffers.Input input : step.buffers().inputs()) {
          if (input.source() instanceof Buffers.Source.OfStep source) {
            boolean same =
                source.step().stream().equals(stream.name())
                    && devices.get(source.step()).equals(devices.get(ref));
            Key key = new Key(source.step(), source.buffer());
            if (same) {
              near.merge(key, 1, Integer::sum);
            }
            if (!same) {
              far.add(key);
            }
          }
        }
      }
    }
  }

  /** Later steps of the same stream and device that read it where it is. */
  int near(Buffers.StepRef step, String buffer) {
    return near.getOrDefault(new Key(step, buffer), 0);
  }

  /** A later step of the same stream and device has read it; returns how many are left. */
  int taken(Buffers.Source.OfStep source) {
    return near.merge(new Key(source.step(), source.buffer()), -1, Integer::sum);
  }

  /** Whether a step of another stream or device reads a copy of it. */
  boolean isReadElsewhere(Buffers.StepRef step, String buffer) {
    return far.contains(new Key(step, buffer));
  }

  void put(Buffers.StepRef step, String buffer, Made what) {
    made.put(new Key(step, buffer), what);
  }

  Made get(Buffers.Source.OfStep source) {
    return made.get(new Key(source.step(), source.buffer()));
  }

  void done(Buffers.StepRef step) {
    done.get(step).countDown();
  }

  /** Waits until {@code step} is done; a failure of another stream interrupts. */
  void await(Buffers.StepRef step) throws InterruptedException {
    done.get(step).await();
  }
}
