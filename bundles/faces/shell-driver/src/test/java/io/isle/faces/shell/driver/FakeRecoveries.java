package io.isle.faces.shell.driver;

import io.isle.api.device.Recovery;
import io.isle.api.device.RecoveryCause;
import io.isle.api.device.RecoveryLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Recoveries of a test. */
final class FakeRecoveries implements RecoveryLog {
  private final List<Recovery> recoveries = new ArrayList<>();

  void add(String device, RecoveryCause.Kind kind, Recovery.Outcome outcome) {
    recoveries.add(
        new Recovery(
            device,
            of(device).size() + 1,
            new RecoveryCause(kind, "seen"),
            0,
            1,
            2,
            1,
            true,
            outcome,
            List.of(),
            5,
            Recovery.Work.NONE));
  }

  @Override
  public synchronized List<Recovery> of(String device) {
    return recoveries.stream().filter(recovery -> recovery.device().equals(device)).toList();
  }

  @Override
  public Optional<Recovery> await(String device, long after, Duration limit) {
    return of(device).stream().filter(recovery -> recovery.number() > after).findFirst();
  }

  @Override
  public List<Recovery> all() {
    return List.copyOf(recoveries);
  }
}
