package io.isle.core.drivers;

import io.isle.api.device.RecoveryParticipant;
import io.isle.api.device.RecoveryParticipant.Recovering;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Subsystems that take part in recoveries, in the order in which they came. Thread-safe. */
final class Participants {
  private static final Logger LOG = LoggerFactory.getLogger(Participants.class);

  private final List<RecoveryParticipant> all = new CopyOnWriteArrayList<>();

  void add(RecoveryParticipant participant) {
    all.add(participant);
  }

  void remove(RecoveryParticipant participant) {
    all.remove(participant);
  }

  /** Calls one phase of each; what one throws is reported and does not stop the others. */
  void tell(BiConsumer<RecoveryParticipant, Recovering> phase, Recovering device) {
    for (RecoveryParticipant participant : all) {
      try {
        phase.accept(participant, device);
      } catch (RuntimeException | Error e) {
        LOG.warn(
            "{}: {} failed in the recovery from {}",
            device.device(),
            participant.getClass().getName(),
            device.cause().text(),
            e);
      }
    }
  }
}
