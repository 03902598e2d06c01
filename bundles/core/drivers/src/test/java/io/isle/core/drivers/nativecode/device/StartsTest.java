package io.isle.core.drivers.nativecode.device;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.lib.shm.Channel;
import io.isle.lib.shm.ChannelLayout;
import io.isle.lib.shm.ChannelLayout.Started;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StartsTest {
  private static final long MS = 1_000_000;

  private final Channel channel = Channel.create(64, 1, 0);
  private final List<Long> told = new ArrayList<>();
  private final Starts starts = new Starts(channel.started(), (tag, ns) -> told.add(tag + ns));

  @AfterEach
  void close() {
    channel.close();
  }

  private static long tag(int generation, int index) {
    return (long) generation << 32 | index;
  }

  private void write(long tag, long ns) {
    long at =
        channel.memory().get(ValueLayout.JAVA_LONG, ChannelLayout.STARTED_OFFSET)
            + (int) tag * (long) ChannelLayout.STARTED_BYTES;
    channel.memory().set(ValueLayout.JAVA_LONG, at + Started.START_NS, ns);
    channel.memory().set(ValueLayout.JAVA_LONG, at + Started.TAG, tag);
  }

  @Test
  void aStartIsToldOnceAndOnlyOfWhatIsInFlight() {
    starts.submitted(tag(1, 3));
    starts.submitted(tag(1, 4));
    starts.look(MS);
    assertEquals(List.of(), told);
    write(tag(1, 3), 1);
    write(tag(1, 9), 1);
    write(tag(2, 4), 1);
    starts.look(2 * MS);
    starts.look(3 * MS);
    assertEquals(List.of(tag(1, 3) + 1), told);
  }

  @Test
  void theTableIsReadNoOftenerThanItsPeriod() {
    starts.submitted(tag(1, 3));
    starts.look(MS);
    write(tag(1, 3), 1);
    starts.look(MS + 1);
    assertEquals(List.of(), told);
    starts.look(2 * MS);
    assertEquals(1, told.size());
  }

  @Test
  void anIndexThatIsUsedAgainWaitsForItsOwnStart() {
    starts.submitted(tag(1, 3));
    write(tag(1, 3), 1);
    starts.ended(tag(1, 3));
    starts.submitted(tag(2, 3));
    starts.look(MS);
    assertEquals(List.of(), told);
    write(tag(2, 3), 5);
    starts.look(2 * MS);
    assertEquals(List.of(tag(2, 3) + 5), told);
  }

  @Test
  void aStartIsNeverLaterThanNow() {
    starts.submitted(tag(1, 3));
    write(tag(1, 3), Long.MAX_VALUE);
    starts.look(MS);
    assertEquals(List.of(tag(1, 3) + MS), told);
  }

  @Test
  void completionsOfAnythingAreHarmless() {
    starts.submitted(tag(1, 3));
    starts.ended(tag(7, 3));
    starts.ended(-1);
    starts.ended(Long.MIN_VALUE | 64);
    write(tag(1, 3), 5);
    starts.look(MS);
    assertEquals(List.of(tag(1, 3) + 5), told);
  }
}
