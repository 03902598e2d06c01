package io.isle.drivers.sim;

import io.isle.api.base.Errno;
import io.isle.api.driver.ArgumentKind;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Kernels that show what a launch was given. A source has them by name, with these arguments; what
 * they compute stands here, and in the contract suite as OpenCL C.
 */
enum Sample implements Body {
  /** Global and local ids of each work item, six words each, to a buffer. */
  IDS(Sample::ids, ArgumentKind.BUFFER),
  /** Words from a buffer to a buffer, turned round in each work-group, by way of local memory. */
  TURN(Sample::turn, ArgumentKind.BUFFER, ArgumentKind.BUFFER, ArgumentKind.LOCAL),
  /** The bytes of two values, one behind the other, to a buffer. */
  JOIN(Sample::join, ArgumentKind.BUFFER, ArgumentKind.BYTES, ArgumentKind.BYTES),
  /** The sum of 20 numbers, each times its place from 1 on, to a word of a buffer. */
  SUM(
      Sample::sum,
      Stream.concat(
              Stream.of(ArgumentKind.BUFFER),
              IntStream.range(0, 20).mapToObj(i -> ArgumentKind.U32))
          .toArray(ArgumentKind[]::new));

  private static final int DIMENSIONS = 3;
  private static final int WORDS = 6;
  private static final long WORD = Integer.BYTES;
  private static final ValueLayout.OfInt UNALIGNED =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** Work items between two looks whether to stop. */
  private static final long SLICE = 1 << 14;

  private final Body body;
  private final List<ArgumentKind> kinds;

  Sample(Body body, ArgumentKind... kinds) {
    this.body = body;
    this.kinds = List.of(kinds);
  }

  List<ArgumentKind> kinds() {
    return kinds;
  }

  @Override
  public int run(Run run, Call call) {
    return body.run(run, call);
  }

  static Optional<Sample> named(String name) {
    return Stream.of(values())
        .filter(sample -> sample.name().toLowerCase(Locale.ROOT).equals(name))
        .findFirst();
  }

  /** How many there are; -1 for more than a buffer of words can have. */
  private static long items(Call call) {
    long items = 1;
    for (long size : call.range().size()) {
      if (size <= 0 || items > Integer.MAX_VALUE / size) {
        return -1;
      }
      items *= size;
    }
    return items;
  }

  private static int ids(Run run, Call call) {
    MemorySegment to = call.buffers()[0];
    long items = items(call);
    if (items < 0 || items * WORDS * WORD > to.byteSize()) {
      return -Errno.EINVAL;
    }
    Call.Range range = call.range();
    for (long i = 0; i < items; i++) {
      if (i % SLICE == 0 && run.stopped() != 0) {
        return run.stopped();
      }
      long rest = i;
      for (int d = 0; d < DIMENSIONS; d++) {
        long at = rest % range.size()[d];
        rest /= range.size()[d];
        to.set(UNALIGNED, (i * WORDS + d) * WORD, (int) (range.offset()[d] + at));
        to.set(UNALIGNED, (i * WORDS + DIMENSIONS + d) * WORD, (int) (at % range.local()[d]));
      }
    }
    run.bytesWritten += items * WORDS * WORD;
    return 0;
  }

  private static int turn(Run run, Call call) {
    MemorySegment from = call.buffers()[0];
    MemorySegment to = call.buffers()[1];
    long items = call.range().size()[0];
    long group = call.range().local()[0];
    boolean fits =
        items(call) == items
            && items * WORD <= from.byteSize()
            && items * WORD <= to.byteSize()
            && group * WORD <= call.values()[2];
    if (!fits) {
      return -Errno.EINVAL;
    }
    for (long i = 0; i < items; i++) {
      if (i % SLICE == 0 && run.stopped() != 0) {
        return run.stopped();
      }
      long turned = i - i % group + group - 1 - i % group;
      to.set(UNALIGNED, i * WORD, from.get(UNALIGNED, turned * WORD));
    }
    run.bytesRead += items * WORD;
    run.bytesWritten += items * WORD;
    return 0;
  }

  private static int join(Run run, Call call) {
    MemorySegment to = call.buffers()[0];
    MemorySegment first = call.bytes()[1];
    MemorySegment second = call.bytes()[2];
    if (to.byteSize() - first.byteSize() < second.byteSize()) {
      return -Errno.EINVAL;
    }
    to.asSlice(0, first.byteSize()).copyFrom(first);
    to.asSlice(first.byteSize(), second.byteSize()).copyFrom(second);
    run.bytesWritten += first.byteSize() + second.byteSize();
    return 0;
  }

  private static int sum(Run run, Call call) {
    if (call.buffers()[0].byteSize() < WORD) {
      return -Errno.EINVAL;
    }
    int sum = 0;
    for (int i = 1; i < call.values().length; i++) {
      sum += i * (int) call.values()[i];
    }
    call.buffers()[0].set(UNALIGNED, 0, sum);
    run.bytesWritten += WORD;
    return 0;
  }
}
