package io.isle.apps.chaos.check;

import io.isle.api.chaos.ChaosRequest.Plant;
import java.util.function.Consumer;

/**
 * Passes events on to the ledger and spoils one of them, so that one sees the checker find it.
 * Thread-safe.
 */
public final class Planter implements Consumer<LedgerEvent> {
  /** Which event of the kind is spoiled: not the first, so that a history surrounds it. */
  private static final int VICTIM = 10;

  private final Plant plant;
  private final Consumer<LedgerEvent> ledger;
  private int seen;

  /**
   * @param plant {@link Plant#LEAK} spoils nothing here
   */
  public Planter(Plant plant, Consumer<LedgerEvent> ledger) {
    this.plant = plant;
    this.ledger = ledger;
  }

  @Override
  public synchronized void accept(LedgerEvent event) {
    switch (event) {
      case LedgerEvent.Ended e when plant == Plant.LOST && isVictim() -> {}
      case LedgerEvent.Ended e when plant == Plant.DOUBLED && isVictim() -> {
        ledger.accept(e);
        ledger.accept(e);
      }
      case LedgerEvent.Result e when plant == Plant.WRONG && isVictim() ->
          ledger.accept(
              new LedgerEvent.Result(e.context(), e.point(), e.expected(), ~e.expected()));
      default -> ledger.accept(event);
    }
  }

  private boolean isVictim() {
    return ++seen == VICTIM;
  }
}
