package io.isle.core.accel.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.driver.CompletionSink;
import io.isle.core.accel.queue.ContextState;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/**
 * Submissions, completions, crashes of all or of some, pauses and closes in any order, against what
 * each tenant knows.
 */
class RecoveryPropertyTest {
  @Property(tries = 1500)
  void everyPointEndsOnceAndNothingStartsThatMayNot(
      @ForAll @Size(max = 250) List<@IntRange(min = 0, max = 1 << 20) Integer> script) {
    Run run = new Run();
    for (int step : script) {
      run.step(step % 23, step / 23);
    }
    run.finish();
  }

  private static final class Run {
    final SimulatedPlace place = new SimulatedPlace();

    /** Whether work has ended since the device went. */
    boolean failed;

    void step(int operation, int argument) {
      SimulatedTenant tenant = place.tenants.get(argument % SimulatedPlace.CONTEXTS);
      switch (operation) {
        case 0, 1, 2, 3, 4 -> tenant.submit(argument % 3 == 0, false);
        case 5 -> tenant.submit(argument % 3 == 0, true);
        case 6, 7, 8, 9 -> cycle();
        case 10, 11, 12 -> complete(argument);
        case 13 -> replayOldCompletion(argument);
        case 14, 15 -> recoverFurther(argument);
        case 16 -> place.pause(argument % 2 == 0);
        case 17 -> holdOrRelease(tenant, argument);
        case 18 -> loseContents(tenant);
        case 19, 20 -> giveBack(argument);
        case 21 -> crashGroup(argument % 2);
        default -> {
          if (argument % 5 == 0) {
            close(tenant);
          }
        }
      }
    }

    void cycle() {
      place.now += Dispatcher.RETRY_NS / 2;
      int ignored = place.agent.doWork();
      place.tenants.forEach(SimulatedTenant::seen);
      place.tenants.forEach(SimulatedTenant::check);
    }

    void complete(int argument) {
      if (!place.onDevice.isEmpty()) {
        SimulatedPlace.Taken taken = place.onDevice.get(argument % place.onDevice.size());
        int status = argument % 4 == 0 ? CompletionSink.ERROR : CompletionSink.SUCCESS;
        place.complete(taken, status);
        taken.tenant().end(taken.point(), status == CompletionSink.ERROR ? -Errno.EIO : 0);
      }
    }

    /** The device gives work up that it has begun, or has not. */
    void giveBack(int argument) {
      if (!place.onDevice.isEmpty()) {
        SimulatedPlace.Taken taken = place.onDevice.get(argument % place.onDevice.size());
        boolean begun = argument % 3 == 0;
        place.complete(taken, CompletionSink.PREEMPTED, begun ? 0 : -Errno.EAGAIN);
        taken.tenant().givenBack(taken.point(), begun);
      }
    }

    void replayOldCompletion(int argument) {
      if (!place.gone.isEmpty()) {
        long tag = place.gone.get(argument % place.gone.size()).tag();
        assertEquals(-Errno.ESTALE, place.ring.complete(tag, 0, 1, 2, 1, 0));
      }
    }

    void recoverFurther(int argument) {
      if (!place.frozen) {
        cycleUnseen();
        place.freeze();
        failed = false;
      } else if (!failed) {
        fail(argument % 4 == 0);
      } else {
        place.thaw();
      }
    }

    /** The agent catches up with completions, so that a model without races knows their order. */
    void cycleUnseen() {
      place.agent.takeAll();
      place.agent.publish();
      place.tenants.forEach(SimulatedTenant::seen);
    }

    void fail(boolean keepAll) {
      cycleUnseen();
      long running = place.onDevice.size();
      long ended = place.tenants.stream().mapToLong(t -> t.ended.size()).sum();
      WorkEnding.Ended counts =
          place.ending.fail(place.tenants.stream().map(t -> t.seat).toList(), keepAll);
      place.tenants.forEach(tenant -> tenant.failed(keepAll));
      place.gone.addAll(place.onDevice);
      place.onDevice.clear();
      failed = true;
      long now = place.tenants.stream().mapToLong(t -> t.ended.size()).sum();
      assertEquals(now - ended, counts.interrupted());
      assertTrue(counts.replayed() <= running);
      place.tenants.forEach(SimulatedTenant::check);
    }

    /** The process of some contexts ends; the others go on with theirs. */
    void crashGroup(int parity) {
      if (place.frozen) {
        return;
      }
      cycleUnseen();
      List<SimulatedTenant> mine =
          place.tenants.stream().filter(t -> t.seat.index() % 2 == parity).toList();
      mine.forEach(tenant -> tenant.seat.interrupt());
      long ended = place.tenants.stream().mapToLong(t -> t.ended.size()).sum();
      WorkEnding.Ended counts = place.ending.failOnly(mine.stream().map(t -> t.seat).toList());
      mine.forEach(tenant -> tenant.failed(false));
      for (SimulatedPlace.Taken taken : List.copyOf(place.onDevice)) {
        if (mine.contains(taken.tenant())) {
          place.onDevice.remove(taken);
          place.gone.add(taken);
        }
      }
      long now = place.tenants.stream().mapToLong(t -> t.ended.size()).sum();
      assertEquals(now - ended, counts.interrupted());
      place.tenants.forEach(SimulatedTenant::check);
      mine.forEach(place::revive);
    }

    void holdOrRelease(SimulatedTenant tenant, int argument) {
      if (tenant.held != (argument % 2 == 0)) {
        tenant.held = !tenant.held;
        place.machine.onHold(tenant.seat.index(), tenant.held);
      }
    }

    void loseContents(SimulatedTenant tenant) {
      cycleUnseen();
      tenant.seat.lostContents();
      place.machine.onLoss(tenant.seat.index(), ContextState.stampOf(tenant.seat.word()));
      tenant.lostContents();
    }

    void close(SimulatedTenant tenant) {
      var ignored = tenant.seat.close();
      cycleUnseen();
      place.ending.close(tenant.seat, -Errno.ECLOSED);
      tenant.closed();
      for (SimulatedPlace.Taken taken : List.copyOf(place.onDevice)) {
        if (taken.tenant() == tenant) {
          place.onDevice.remove(taken);
          place.gone.add(taken);
          tenant.end(taken.point(), -Errno.ECLOSED);
        }
      }
      place.ending.forget(tenant.seat, -Errno.ECLOSED);
      tenant.check();
      int c = tenant.seat.index();
      SimulatedTenant next = place.tenant(c);
      place.tenants.set(c, next);
      if (place.frozen) {
        next.seat.interrupt();
        if (failed) {
          next.failed(false);
          place.machine.onFail(c, ContextState.stampOf(next.seat.word()), false, false);
        }
      }
    }

    void finish() {
      place.pause(false);
      place.tenants.forEach(tenant -> holdOrRelease(tenant, 1));
      while (place.frozen) {
        recoverFurther(1);
      }
      int cycles = 0;
      do {
        cycle();
        List<SimulatedPlace.Taken> all = new ArrayList<>(place.onDevice);
        all.forEach(
            taken -> {
              place.complete(taken, CompletionSink.SUCCESS);
              taken.tenant().end(taken.point(), 0);
            });
        assertTrue(++cycles < 100, "work is left that never starts");
      } while (place.tenants.stream().anyMatch(t -> t.ended.size() < t.submitted));
      cycle();
      assertEquals(0, place.machine.inFlight().size());
    }
  }
}
