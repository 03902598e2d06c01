package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Context;
import io.isle.api.base.Errno;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ContextSeatsTest {
  private final Bench bench = new Bench();

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  void anOpenThatIsRefusedTakesNothing() {
    CoreIds ids = bench.core.place("sim0").orElseThrow().ids();
    List<Long> timelines = takeAll(ids.timelines());
    assertEquals(Errno.ENOSPC, assertThrows(AccelException.class, bench::context).code());
    List<Long> contexts = takeAll(ids.contexts());
    assertEquals(timelines.size(), contexts.size());
    timelines.forEach(ids.timelines()::give);
    contexts.forEach(ids.contexts()::give);
    assertEquals(0, offset(bench.context()));
  }

  private static List<Long> takeAll(IdPool pool) {
    List<Long> all = new ArrayList<>();
    try {
      while (true) {
        all.add(pool.take());
      }
    } catch (AccelException e) {
      assertEquals(Errno.ENOSPC, e.code());
      return all;
    }
  }

  private static long offset(Context context) {
    return ((ExecutionContext) context).seat().offset();
  }
}
