package io.isle.core.accel;

import io.isle.api.base.Errno;
import io.isle.api.driver.CompletionSink;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A device whose threads complete in any order, complete twice, invent tags, and refuse now and
 * then; every submission that it took it does complete once.
 */
final class UnrulyDevice extends FakeDevice {
  final AtomicLong accepted = new AtomicLong();
  private final CompletionSink sink;
  private final LinkedBlockingQueue<Long> tags = new LinkedBlockingQueue<>();
  private final List<Thread> threads = new ArrayList<>();
  private final SplittableRandom refusals = new SplittableRandom(7);
  private volatile boolean closed;

  UnrulyDevice(CompletionSink sink, int workers) {
    this.sink = sink;
    for (int i = 0; i < workers; i++) {
      threads.add(Thread.ofPlatform().daemon().start(this::work));
    }
  }

  private void work() {
    SplittableRandom random = new SplittableRandom(Thread.currentThread().threadId());
    try {
      while (!closed) {
        Long tag = tags.poll(20, TimeUnit.MILLISECONDS);
        if (tag == null) {
          continue;
        }
        if (random.nextInt(8) == 0) {
          // Put back behind the others: completions come out of order.
          tags.add(tag);
          continue;
        }
        int status = random.nextInt(16) == 0 ? CompletionSink.ERROR : CompletionSink.SUCCESS;
        if (sink.complete(tag, status, 1, 2, 1, 0) == 0) {
          accepted.incrementAndGet();
        }
        if (random.nextInt(4) == 0 && sink.complete(tag, 0, 1, 2, 1, 0) == 0) {
          throw new AssertionError("a tag was accepted twice");
        }
        int ignored = sink.complete(random.nextLong(), 0, 1, 2, 1, 0);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public int submit(long context, long tag, MemorySegment commands, long offset, int length) {
    if (refusals.nextInt(32) == 0) {
      return -Errno.EAGAIN;
    }
    tags.add(tag);
    return 0;
  }

  @Override
  public void close() {
    closed = true;
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
