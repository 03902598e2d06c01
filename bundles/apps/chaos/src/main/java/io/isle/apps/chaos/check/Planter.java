package io.isle.apps.chaos.check;

import io.isle.api.chaos.ChaosRequest.Plant;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Passes events on to the ledger and spoils one of them for each defect, so that one sees the
 * checker find it. Thread-safe.
 */
public final class Planter implements Consumer<LedgerEvent> {
  /** Which events are spoiled: not the first, so that a history surrounds them. */
  private static final int LOST_END = 10;

  private static final int DOUBLED_END = 20;
  private static final int WRONG_RESULT = 10;

  private final Set<Plant> plants;
  private final Consumer<LedgerEvent> ledger;
  private int ends;
  private int results;

  /**
   * @param plants {@link Plant#LEAK} spoils nothing here
   */
  public Planter(Set<Plant> plants, Consumer<LedgerEvent> ledger) {
    this.plants = plants;
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
    ends++;
    if (ends == LOST_END && plants.contains(Plant.LOST)) {
      return;
    }
    ledger.accept(event);
    if (ends == DOUBLED_END && plants.contains(Plant.DOUBLED)) {
      ledger.accept(event);
    }
  }

  private void result(LedgerEvent.Result event) {
    boolean spoil = ++results == WRONG_RESULT && plants.contains(Plant.WRONG);
    ledger.accept(
        spoil
            ? new LedgerEvent.Result(
                event.context(), event.point(), event.expected(), ~event.expected())
            : event);
  }
}
