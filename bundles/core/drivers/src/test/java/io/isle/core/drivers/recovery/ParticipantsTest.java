package io.isle.core.drivers.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.DeviceSession;
import io.isle.api.driver.RecoveryParticipant;
import io.isle.api.driver.RecoveryParticipant.Recovering;
import io.isle.core.drivers.session.HungCall;
import io.isle.core.drivers.session.ServiceThreads;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Who takes part in recoveries, whatever that one does. */
@Timeout(60)
class ParticipantsTest {
  private static final RecoveryCause CRASH =
      new RecoveryCause(RecoveryCause.Kind.CRASH, "signal 11");

  private final ServiceThreads serviceThreads = new ServiceThreads();
  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
  private Duration bound = Duration.ofSeconds(60);
  private final Participants participants = new Participants(serviceThreads, () -> bound);

  @AfterEach
  void close() {
    serviceThreads.close();
  }

  private static Recovering of(String group) {
    return new Recovering(
        "x0", group.isEmpty() ? Optional.empty() : Optional.of(group), CRASH, 1, false);
  }

  private static final Recovering WHOLE = of("");

  /** What happens when one is called. */
  private interface Then {
    void run(String phase) throws InterruptedException;
  }

  /** Says what it is called for, then does something. */
  private RecoveryParticipant participant(String name, Then then) {
    return (RecoveryParticipant)
        Proxy.newProxyInstance(
            RecoveryParticipant.class.getClassLoader(),
            new Class<?>[] {RecoveryParticipant.class},
            (self, method, args) -> {
              if (method.getDeclaringClass() == Object.class) {
                return method.getName().equals("equals") ? self == args[0] : (Object) 1;
              }
              heard.add(name + " " + method.getName());
              then.run(method.getName());
              return null;
            });
  }

  private void tell(Recovering of, Step... steps) {
    for (Step step : steps) {
      participants.tell(step, of, null);
    }
  }

  private List<String> heard() {
    List<String> all = new ArrayList<>();
    heard.drainTo(all);
    return all;
  }

  @ParameterizedTest
  @MethodSource("io.isle.core.testing.Thrown#kinds")
  void whatOneThrowsStopsNeitherTheOthersNorItsNextPhase(Throwable thrown) {
    var ignored =
        participants.add(
            participant(
                "one",
                phase -> {
                  if (thrown instanceof Error error) {
                    throw error;
                  }
                  throw (RuntimeException) thrown;
                }));
    ignored = participants.add(participant("two", phase -> {}));
    tell(WHOLE, Step.RESET, Step.OPEN);
    assertEquals(List.of("one reset", "two reset", "one open", "two open"), heard());
  }

  /** A subsystem that makes its objects again, and has nothing to do in other phases. */
  private static final class Rebuilder implements RecoveryParticipant {
    private int rebuilds;

    @Override
    public void rebuild(Recovering device, DeviceSession session) {
      rebuilds++;
    }
  }

  @Test
  void aPhaseWithoutABodyTakesNoThread() {
    Rebuilder rebuilder = new Rebuilder();
    var ignored = participants.add(rebuilder);
    for (Step step : Step.values()) {
      assertEquals(step == Step.REBUILD, step.isIn(rebuilder), step.text());
      if (step != Step.REBUILD) {
        tell(WHOLE, step);
      }
    }
    assertEquals(
        List.of(),
        Thread.getAllStackTraces().keySet().stream()
            .map(Thread::getName)
            .filter(name -> name.startsWith("isle-drivers-guest-"))
            .toList());
    tell(WHOLE, Step.RESET, Step.REBUILD);
    assertEquals(1, rebuilder.rebuilds);
  }

  @Test
  void eachPhaseIsCalledInTheOrderOfARecovery() {
    var ignored = participants.add(participant("one", phase -> {}));
    tell(WHOLE, Step.RESET);
    heard();
    tell(WHOLE, Step.values());
    assertEquals(
        List.of(
            "one drain",
            "one freeze",
            "one fail",
            "one revoke",
            "one reset",
            "one open",
            "one rebuild",
            "one thaw",
            "one takenBack"),
        heard());
  }

  @Test
  void oneThatIsOvertakenIsToldAgainFromTheNextResetAfterItHasReturned() throws Exception {
    HungCall hung = new HungCall(() -> heard.add("interrupted"));
    CountDownLatch returned = new CountDownLatch(1);
    Then stuck =
        phase -> {
          if (phase.equals("freeze")) {
            hung.run();
            returned.countDown();
          }
        };
    var ignored = participants.add(participant("stuck", stuck));
    ignored = participants.add(participant("other", phase -> {}));
    tell(WHOLE, Step.RESET, Step.OPEN, Step.REBUILD, Step.THAW);
    heard();
    bound = Duration.ofMillis(20);
    tell(WHOLE, Step.FREEZE);
    bound = Duration.ofSeconds(60);
    assertEquals("stuck freeze", heard.take());
    List<String> two = new ArrayList<>(List.of(heard.take(), heard.take()));
    two.sort(null);
    assertEquals(List.of("interrupted", "other freeze"), two);
    tell(WHOLE, Step.FAIL, Step.RESET, Step.OPEN);
    assertEquals(List.of("other fail", "other reset", "other open"), heard());
    hung.release();
    returned.await();
    tell(WHOLE, Step.FREEZE);
    assertEquals(List.of("other freeze"), heard(), "it knows nothing of this opening");
    tellUntilHeard(WHOLE, "stuck reset");
    tell(WHOLE, Step.OPEN);
    assertEquals(List.of("stuck open", "other open"), heard());
  }

  /** Its thread may be on its way out of the call still. */
  private void tellUntilHeard(Recovering of, String what) {
    List<String> all = List.of();
    while (!all.contains(what)) {
      tell(of, Step.RESET);
      all = heard();
    }
  }

  @Test
  void oneThatReactsToItsInterruptionIsMissingForThisRecoveryOnly() throws Exception {
    CountDownLatch interrupted = new CountDownLatch(1);
    Then slow =
        phase -> {
          if (phase.equals("open") && interrupted.getCount() == 1) {
            try {
              new CountDownLatch(1).await();
            } finally {
              interrupted.countDown();
            }
          }
        };
    var ignored = participants.add(participant("slow", slow));
    tell(WHOLE, Step.RESET);
    bound = Duration.ofMillis(20);
    tell(WHOLE, Step.OPEN);
    bound = Duration.ofSeconds(60);
    interrupted.await();
    tell(WHOLE, Step.REBUILD, Step.THAW, Step.FREEZE);
    assertEquals(List.of("slow reset", "slow open"), heard());
    tellUntilHeard(WHOLE, "slow reset");
    tell(WHOLE, Step.OPEN, Step.REBUILD);
    assertEquals(List.of("slow open", "slow rebuild"), heard());
  }

  @Test
  void whatIsMissedOfAGroupConcernsThatGroupAlone() throws Exception {
    CountDownLatch interrupted = new CountDownLatch(1);
    Then slow =
        phase -> {
          if (phase.equals("fail")) {
            try {
              new CountDownLatch(1).await();
            } finally {
              interrupted.countDown();
            }
          }
        };
    var ignored = participants.add(participant("slow", slow));
    tell(WHOLE, Step.RESET);
    bound = Duration.ofMillis(20);
    tell(of("a"), Step.FAIL);
    bound = Duration.ofSeconds(60);
    interrupted.await();
    heard();
    tellUntilHeard(of("b"), "slow reset");
    tell(of("b"), Step.REBUILD);
    assertEquals(List.of("slow rebuild"), heard());
    tell(of("a"), Step.REVOKE);
    assertEquals(List.of(), heard(), "it knows nothing of that process");
    tell(of("a"), Step.RESET, Step.OPEN);
    assertEquals(List.of("slow reset", "slow open"), heard());
  }

  @Test
  void oneThatComesLateIsToldOfWhatIsOpenAndNothingBefore() {
    BoundedParticipant late = participants.add(participant("late", phase -> {}));
    tell(WHOLE, Step.DRAIN, Step.FREEZE);
    assertEquals(List.of(), heard());
    participants.join(late, WHOLE, null);
    tell(WHOLE, Step.FREEZE);
    assertEquals(List.of("late open", "late rebuild", "late thaw", "late freeze"), heard());
  }

  @Test
  void oneThatComesDuringARecoveryAndTakesPartInItIsNotToldOfTheOpeningTwice() {
    BoundedParticipant late = participants.add(participant("late", phase -> {}));
    tell(WHOLE, Step.RESET, Step.OPEN, Step.REBUILD, Step.THAW);
    assertEquals(List.of("late reset", "late open", "late rebuild", "late thaw"), heard());
    participants.join(late, WHOLE, null);
    assertEquals(List.of(), heard());
  }

  @Test
  void oneThatWasOvertakenBeforeItsThreadRanIsNotCalledLate() {
    AtomicInteger inside = new AtomicInteger();
    RecoveryParticipant one =
        participant(
            "one",
            phase -> {
              int ignored = inside.incrementAndGet();
              try {
                new CountDownLatch(1).await();
              } finally {
                ignored = inside.decrementAndGet();
              }
            });
    var ignored = participants.add(one);
    bound = Duration.ZERO;
    tell(WHOLE, Step.RESET);
    bound = Duration.ofSeconds(10);
    participants.remove(one);
    assertEquals(0, inside.get(), "it was called, and nobody interrupts it");
  }

  @Test
  void oneThatHasGoneIsNotCalled() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    RecoveryParticipant one =
        participant(
            "one",
            phase -> {
              inside.countDown();
              release.await();
            });
    var ignored = participants.add(one);
    Thread recovery = Thread.ofPlatform().start(() -> tell(WHOLE, Step.RESET, Step.OPEN));
    inside.await();
    Thread leaving = Thread.ofPlatform().start(() -> participants.remove(one));
    while (leaving.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    release.countDown();
    leaving.join();
    recovery.join();
    tell(WHOLE, Step.RESET);
    assertEquals(List.of("one reset"), heard());
  }

  @Test
  void oneThatNeverReturnsIsLeftBehindWhenItGoes() throws Exception {
    HungCall hung = new HungCall(() -> heard.add("interrupted"));
    RecoveryParticipant stuck = participant("stuck", phase -> hung.run());
    var ignored = participants.add(stuck);
    bound = Duration.ofMillis(20);
    tell(WHOLE, Step.RESET);
    hung.awaitEntered();
    participants.remove(stuck);
    assertTrue(heard().contains("stuck reset"));
    hung.release();
  }

  @Test
  void theSessionIsPassedOn() throws Exception {
    BlockingQueue<DeviceSession> passed = new LinkedBlockingQueue<>();
    var ignored =
        participants.add(
            new RecoveryParticipant() {
              @Override
              public void open(Recovering device, DeviceSession session) {
                passed.add(session);
              }
            });
    DeviceSession session =
        (DeviceSession)
            Proxy.newProxyInstance(
                DeviceSession.class.getClassLoader(),
                new Class<?>[] {DeviceSession.class},
                (self, method, args) -> "session");
    participants.tell(Step.RESET, WHOLE, null);
    participants.tell(Step.OPEN, WHOLE, session);
    assertEquals(session.toString(), passed.take().toString());
  }
}
