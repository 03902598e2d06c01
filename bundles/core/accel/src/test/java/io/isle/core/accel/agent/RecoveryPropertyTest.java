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
    final SimulatedDataPlane plane = new SimulatedDataPlane();

    /** Whether work has ended since the device went. */
    boolean failed;

    void step(int operation, int argument) {
      SimulatedTenant tenant = plane.tenants.get(argument % SimulatedDataPlane.CONTEXTS);
      switch (operation) {
        case 0, 1, 2, 3, 4 -> tenant.submit(argument % 3 == 0, false);
        case 5 -> tenant.submit(argument % 3 == 0, true);
        case 6, 7, 8, 9 -> cycle();
        case 10, 11, 12 -> complete(argument);
        case 13 -> replayOldCompletion(argument);
        case 14, 15 -> recoverFurther(argument);
        case 16 -> plane.pause(argument % 2 == 0);
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
      plane.now += Dispatcher.RETRY_NS / 2;
      int ignored = plane.agent.doWork();
      plane.tenants.forEach(SimulatedTenant::seen);
      plane.tenants.forEach(SimulatedTenant::check);
    }

    void complete(int argument) {
      if (!plane.onDevice.isEmpty()) {
        SimulatedDataPlane.Taken taken = plane.onDevice.get(argument % plane.onDevice.size());
        int status = argument % 4 == 0 ? CompletionSink.ERROR : CompletionSink.SUCCESS;
        plane.complete(taken, status);
        taken.tenant().end(taken.point(), status == CompletionSink.ERROR ? -Errno.EIO : 0);
      }
    }

    /** The device gives work up that it has begun, or has not. */
    void giveBack(int argument) {
      if (!plane.onDevice.isEmpty()) {
        SimulatedDataPlane.Taken taken = plane.onDevice.get(argument % plane.onDevice.size());
        boolean begun = argument % 3 == 0;
        plane.complete(taken, CompletionSink.PREEMPTED, begun ? 0 : -Errno.EAGAIN);
        taken.tenant().givenBack(taken.point(), begun);
      }
    }

    void replayOldCompletion(int argument) {
      if (!plane.gone.isEmpty()) {
        long tag = plane.gone.get(argument % plane.gone.size()).tag();
        assertEquals(-Errno.ESTALE, plane.ring.complete(tag, 0, 1, 2, 1, 0));
      }
    }

    void recoverFurther(int argument) {
      if (!plane.frozen) {
        cycleUnseen();
        plane.freeze();
        failed = false;
      } else if (!failed) {
        fail(argument % 4 == 0);
      } else {
        plane.thaw();
      }
    }

    /** The agent catches up with completions, so that a model without races knows their order. */
    void cycleUnseen() {
      plane.agent.takeAll();
      plane.agent.publish();
      plane.tenants.forEach(SimulatedTenant::seen);
    }

    void fail(boolean keepAll) {
      cycleUnseen();
      long running = plane.onDevice.size();
      long ended = plane.tenants.stream().mapToLong(t -> t.ended.size()).sum();
      WorkEnding.Ended counts =
          plane.ending.fail(plane.tenants.stream().map(t -> t.record).toList(), keepAll);
      plane.tenants.forEach(tenant -> tenant.failed(keepAll));
      plane.gone.addAll(plane.onDevice);
      plane.onDevice.clear();
      failed = true;
      long now = plane.tenants.stream().mapToLong(t -> t.ended.size()).sum();
      assertEquals(now - ended, counts.interrupted());
      assertTrue(counts.replayed() <= running);
      plane.tenants.forEach(SimulatedTenant::check);
    }

    /** The process of some contexts ends; the others go on with theirs. */
    void crashGroup(int parity) {
      if (plane.frozen) {
        return;
      }
      cycleUnseen();
      List<SimulatedTenant> mine =
          plane.tenants.stream().filter(t -> t.record.index() % 2 == parity).toList();
      mine.forEach(tenant -> tenant.record.interrupt());
      long ended = plane.tenants.stream().mapToLong(t -> t.ended.size()).sum();
      WorkEnding.Ended counts = plane.ending.failOnly(mine.stream().map(t -> t.record).toList());
      mine.forEach(tenant -> tenant.failed(false));
      for (SimulatedDataPlane.Taken taken : List.copyOf(plane.onDevice)) {
        if (mine.contains(taken.tenant())) {
          plane.onDevice.remove(taken);
          plane.gone.add(taken);
        }
      }
      long now = plane.tenants.stream().mapToLong(t -> t.ended.size()).sum();
      assertEquals(now - ended, counts.interrupted());
      plane.tenants.forEach(SimulatedTenant::check);
      mine.forEach(plane::revive);
    }

    void holdOrRelease(SimulatedTenant tenant, int argument) {
      if (tenant.held != (argument % 2 == 0)) {
        tenant.held = !tenant.held;
        plane.machine.onHold(tenant.record.index(), tenant.held);
      }
    }

    void loseContents(SimulatedTenant tenant) {
      cycleUnseen();
      tenant.record.lostContents();
      plane.machine.onLoss(tenant.record.index(), ContextState.stampOf(tenant.record.word()));
      tenant.lostContents();
    }

    void close(SimulatedTenant tenant) {
      var ignored = tenant.record.close();
      cycleUnseen();
      plane.ending.close(tenant.record, -Errno.ECLOSED);
      tenant.closed();
      for (SimulatedDataPlane.Taken taken : List.copyOf(plane.onDevice)) {
        if (taken.tenant() == tenant) {
          plane.onDevice.remove(taken);
          plane.gone.add(taken);
          tenant.end(taken.point(), -Errno.ECLOSED);
        }
      }
      plane.ending.forget(tenant.record, -Errno.ECLOSED);
      tenant.check();
      int c = tenant.record.index();
      SimulatedTenant next = plane.tenant(c);
      plane.tenants.set(c, next);
      if (plane.frozen) {
        next.record.interrupt();
        if (failed) {
          next.failed(false);
          plane.machine.onFail(c, ContextState.stampOf(next.record.word()), false, false);
        }
      }
    }

    void finish() {
      plane.pause(false);
      plane.tenants.forEach(tenant -> holdOrRelease(tenant, 1));
      while (plane.frozen) {
        recoverFurther(1);
      }
      int cycles = 0;
      do {
        cycle();
        List<SimulatedDataPlane.Taken> all = new ArrayList<>(plane.onDevice);
        all.forEach(
            taken -> {
              plane.complete(taken, CompletionSink.SUCCESS);
              taken.tenant().end(taken.point(), 0);
            });
        assertTrue(++cycles < 100, "work is left that never starts");
      } while (plane.tenants.stream().anyMatch(t -> t.ended.size() < t.submitted));
      cycle();
      assertEquals(0, plane.machine.inFlight().size());
    }
  }
}
