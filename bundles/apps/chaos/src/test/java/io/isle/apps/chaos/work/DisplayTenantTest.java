package io.isle.apps.chaos.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.Accelerators;
import io.isle.api.accel.Buffer;
import io.isle.api.base.Errno;
import io.isle.api.display.Displays;
import io.isle.api.tenancy.Capabilities;
import io.isle.apps.chaos.check.Ledger;
import io.isle.apps.chaos.platform.Core;
import io.isle.apps.chaos.platform.FakeCore;
import io.isle.apps.chaos.work.FakeDisplay.Fate;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** A display tenant on a scripted screen, in the thread of the test. */
class DisplayTenantTest {
  private static final int LAST = 8;

  private final FakeDevice device = new FakeDevice();
  private final FakeRights rights = new FakeRights();
  private final FakeCore core =
      new FakeCore()
          .with(Accelerators.class, device.service())
          .with(Displays.class, device.displays())
          .withPartial(Capabilities.class, rights);
  private final Recorder recorder = new Recorder(new Ledger(), Runnable::run);

  /** How often from now on the owner of displays is away when it is asked for. */
  private int absences;

  private final class Restarting implements Core {
    @Override
    public <S> S get(Class<S> type) {
      if (type == Displays.class && absences-- > 0) {
        throw new AwayException("it restarts");
      }
      return core.get(type);
    }

    @Override
    public boolean complete() {
      return core.complete();
    }

    @Override
    public long changes() {
      return core.changes();
    }
  }

  /** Looks until the flip {@link #LAST}, of which those before it have these fates. */
  private List<String> look(IntFunction<Fate> fates) {
    DisplayTenant tenant = new DisplayTenant(new Restarting(), recorder, "display0");
    device.screen.plan =
        number -> {
          if (number == LAST) {
            tenant.stop();
          }
          return number >= LAST ? Fate.GOOD : fates.apply(number);
        };
    tenant.run();
    assertTrue(device.contexts.stream().allMatch(context -> context.closed), "all are closed");
    assertEquals(0, rights.valid, "no right is left");
    return recorder.problems();
  }

  @Test
  void whatTheScreenShowsIsChecked() {
    assertEquals(List.of(), look(number -> Fate.GOOD));
    assertEquals(4, device.screen.mode.width(), "the smallest mode");
    assertEquals(1, device.contexts.size());
    assertEquals(Buffer.RETAINED, device.contexts.getFirst().buffers.getFirst().flags);
  }

  @Test
  void aWrongPictureIsFound() {
    List<String> problems = look(number -> number == 3 ? new Fate(0, 0, 0, 0, true) : Fate.GOOD);
    assertEquals(1, problems.size());
    assertTrue(
        problems.getFirst().startsWith("wrong: display0: the screen shows 000000 of flip 3"));
  }

  @Test
  void aFlipThatIsCountedTwiceIsFound() {
    List<String> problems = look(number -> number == 3 ? new Fate(0, 1, 0, 0, false) : Fate.GOOD);
    assertEquals(1, problems.size());
    assertTrue(problems.getFirst().startsWith("wrong: display0: flip 4 follows flip 2"));
  }

  @Test
  void afterARecoveryThePictureMustComeBack() {
    assertEquals(
        List.of(), look(number -> new Fate(0, 0, number % 2 == 0 ? -Errno.EINTR : 0, 2, false)));
  }

  @Test
  void aPictureThatDoesNotComeBackIsFound() {
    List<String> problems =
        look(number -> new Fate(0, 0, number == 5 ? -Errno.EINTR : 0, 1, number == 5));
    assertEquals(1, problems.size(), problems::toString);
    assertTrue(problems.getFirst().contains("shows 000000"), problems::toString);
  }

  @Test
  void whoMustWaitOrIsSentAwayComesAgain() {
    assertEquals(
        List.of(),
        look(
            number ->
                switch (number) {
                  case 2 -> new Fate(Errno.EBUSY, 0, 0, 0, false);
                  case 4 -> new Fate(Errno.EINTR, 0, 0, 0, false);
                  case 6 -> new Fate(Errno.ENODEV, 0, 0, 0, false);
                  default -> Fate.GOOD;
                }));
    assertEquals(2, device.contexts.size());
  }

  @Test
  void whenTheOwnerOfDisplaysRestartsPicturesGoOn() {
    assertEquals(
        List.of(),
        look(
            number -> {
              absences = number == 3 ? 2 : 0;
              return number == 3
                  ? new Fate(Errno.ECLOSED, 0, 0, 0, false)
                  : new Fate(0, 0, number == 5 ? -Errno.ECLOSED : 0, 0, false);
            }));
    assertEquals(1, device.contexts.size());
    assertEquals(3, device.owners);
  }

  @Test
  void whatClosesTheContextTooSendsAway() {
    assertEquals(
        List.of(),
        look(
            number -> {
              if (number == 3) {
                device.contexts.getLast().usable = -Errno.ECLOSED;
              }
              return number == 3 ? new Fate(Errno.ECLOSED, 0, 0, 0, false) : Fate.GOOD;
            }));
    assertEquals(2, device.contexts.size());
  }

  @Test
  void aContextThatRecoversWhileTheOwnerOfDisplaysRestartsStays() {
    assertEquals(
        List.of(),
        look(
            number -> {
              device.contexts.getLast().usable = number == 3 ? -Errno.ETIME : 0;
              absences = number == 3 ? 1 : 0;
              return number == 3 ? new Fate(Errno.ECLOSED, 0, 0, 0, false) : Fate.GOOD;
            }));
    assertEquals(1, device.contexts.size());
  }

  @Test
  void picturesGoWithTheirContext() {
    Fate stale = new Fate(Errno.ESTALE, 0, 0, 0, false);
    assertEquals(
        List.of(),
        look(
            number -> {
              if (number == 3) {
                device.contexts.getLast().usable = -Errno.ENODEV;
              }
              return number == 3 ? stale : Fate.GOOD;
            }));
    assertEquals(2, device.contexts.size());
  }

  @Test
  void picturesThatAreGoneWithoutTheirContextAreAProblem() {
    List<String> problems =
        look(number -> number == 3 ? new Fate(Errno.ESTALE, 0, 0, 0, false) : Fate.GOOD);
    assertEquals(1, problems.size(), problems::toString);
  }

  @Test
  void aRefusalThatNothingExplainsIsAProblem() {
    List<String> problems =
        look(number -> number == 2 ? new Fate(Errno.EINVAL, 0, 0, 0, false) : Fate.GOOD);
    assertEquals(1, problems.size());
    assertTrue(problems.getFirst().contains("display0 screen"), problems::toString);
  }
}
