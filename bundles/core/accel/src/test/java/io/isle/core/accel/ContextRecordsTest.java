package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Context;
import io.isle.api.base.Errno;
import io.isle.core.accel.ids.CoreIds;
import io.isle.core.accel.managed.ManagedDevice;
import io.isle.core.accel.queue.Bell;
import io.isle.core.accel.queue.ContextState;
import io.isle.core.accel.submit.ExecutionContext;
import io.isle.lib.ids.IdPool;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ContextRecordsTest {
  private final Fixture fixture = new Fixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  /** Others of its device that wait for it do not stand among those who watch its points. */
  @Test
  void oneThatIsSealedRingsItsOwnDevice() {
    ExecutionContext context = (ExecutionContext) fixture.context();
    Bell bell = context.record().services().bell();
    int before = bell.rings();
    context.record().seal(-Errno.ECLOSED);
    assertNotEquals(before, bell.rings());
  }

  @Test
  void aRangeThatWasWrittenAtTheCloseIsUsedAgainAfterTheSubmission() throws Exception {
    try (ExecutorService other = Executors.newSingleThreadExecutor()) {
      Context first = fixture.context();
      CommandWriter kept = other.submit(first::writer).get();
      first.close();
      Context second = fixture.context();
      assertNotEquals(offset(first), offset(second));
      assertEquals(-Errno.ECLOSED, other.submit(() -> first.submit(kept)).get());
      Context third = fixture.context();
      assertEquals(offset(first), offset(third));
      assertNotEquals(offset(first), offset(fixture.context()));
    }
  }

  @Test
  void aRangeThatWasWrittenAtTheCloseIsUsedAgainAfterTheThreadsEnd() throws Exception {
    Context first = fixture.context();
    CountDownLatch claimed = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    Thread holder =
        Thread.ofPlatform()
            .start(
                () -> {
                  CommandWriter ignored = first.writer();
                  claimed.countDown();
                  LifeCycleTest.awaitQuietly(over);
                });
    claimed.await();
    first.close();
    assertNotEquals(offset(first), offset(fixture.context()));
    over.countDown();
    holder.join();
    assertEquals(offset(first), offset(fixture.context()));
  }

  @Test
  void aContextThatIsClosedWhileItIsOpenedStaysClosed() {
    ManagedDevice device = fixture.core.device("sim0").orElseThrow();
    List<ExecutionContext> opening = new ArrayList<>();
    fixture.device.inCreate =
        () -> {
          opening.addAll(device.contexts());
          device.closeContexts();
          // a free record would be another context's before this one is made
          assertEquals(opening, device.contexts());
        };
    assertEquals(Errno.ECLOSED, assertThrows(AccelException.class, fixture::context).code());
    assertEquals(ContextState.State.CLOSED, opening.get(0).record().state());
    assertEquals(List.of(), device.contexts());
    assertTrue(fixture.device.contexts.isEmpty());
    fixture.device.inCreate = () -> {};
    fixture.device.completeAtOnce = true;
    Context first = fixture.context();
    Context second = fixture.context();
    assertEquals(offset(opening.get(0)), offset(first));
    assertNotEquals(offset(first), offset(second));
    assertEquals(0, first.await(first.submit(first.writer()), -1));
    assertEquals(0, second.await(second.submit(second.writer()), -1));
  }

  @Test
  void anOpenThatIsRefusedTakesNothing() {
    CoreIds ids = fixture.core.services().ids();
    List<Long> timelines = takeAll(ids.timelines());
    assertEquals(Errno.ENOSPC, assertThrows(AccelException.class, fixture::context).code());
    List<Long> contexts = takeAll(ids.contexts());
    assertEquals(timelines.size(), contexts.size());
    timelines.forEach(ids.timelines()::give);
    contexts.forEach(ids.contexts()::give);
    assertEquals(0, offset(fixture.context()));
  }

  private static List<Long> takeAll(IdPool pool) {
    List<Long> all = new ArrayList<>();
    for (String tenant : List.of("one", "other")) {
      takeShare(pool, tenant, all);
    }
    return all;
  }

  private static void takeShare(IdPool pool, String tenant, List<Long> all) {
    try {
      while (true) {
        all.add(pool.take(tenant));
      }
    } catch (AccelException e) {
      assertEquals(Errno.ENOSPC, e.code());
    }
  }

  private static long offset(Context context) {
    return ((ExecutionContext) context).record().offset();
  }
}
