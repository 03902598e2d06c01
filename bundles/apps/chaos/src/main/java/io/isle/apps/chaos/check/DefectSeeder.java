package io.isle.apps.chaos.check;

import io.isle.api.chaos.ChaosRequest.Plant;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Passes events on to the ledger and spoils one of them for each defect, so that one sees the
 * checker find it. Thread-safe.
 */
public final class DefectSeeder implements Consumer<LedgerEvent> {
  /** From which event on one is spoiled: not the first, so that a history surrounds it. */
  private static final int FIRST = 10;

  private record Submission(int context, long point) {}

  private final Set<Plant> planned;
  private final Consumer<LedgerEvent> ledger;

  /** What was spoiled: each defect has a submission of its own. */
  private final Set<Submission> victims = new HashSet<>();

  private int ends;
  private int results;

  /**
   * @param plants {@link Plant#LEAK} spoils nothing here
   */
  public DefectSeeder(Set<Plant> plants, Consumer<LedgerEvent> ledger) {
    this.planned = EnumSet.noneOf(Plant.class);
    this.planned.addAll(plants);
    this.ledger = ledger;
  }

  @Override
  public synchronized void accept(LedgerEvent event) {
    switch (event) {
      case LedgerEvent.Ended e -> end(e);
      case LedgerEvent.Result e -> result(e);
      default -> ledger.accept(event);
    }
  }

  private void end(LedgerEvent.Ended event) {
    Submission submission = new Submission(event.context(), event.point());
    boolean late = ++ends >= FIRST;
    if (late && spoils(Plant.LOST, submission)) {
      return;
    }
    ledger.accept(event);
    if (late && spoils(Plant.DOUBLED, submission)) {
      ledger.accept(event);
    }
  }

  private void result(LedgerEvent.Result event) {
    Submission submission = new Submission(event.context(), event.point());
    if (++results >= FIRST && spoils(Plant.WRONG, submission)) {
      ledger.accept(
          new LedgerEvent.Result(
              event.context(), event.point(), event.expected(), ~event.expected()));
    } else {
      ledger.accept(event);
    }
  }

  private boolean spoils(Plant plant, Submission submission) {
    return planned.contains(plant) && victims.add(submission) && planned.remove(plant);
  }
}
