package io.isle.core.drivers.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.DriverException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What was said of which opening. */
class OpeningsTest {
  private final List<Integer> told = new ArrayList<>();
  private final Openings openings = new Openings(0, (opening, cause) -> told.add(opening));

  private static RecoveryCause cause(String text) {
    return new RecoveryCause(RecoveryCause.Kind.CRASH, text);
  }

  @Test
  void whatIsSaidLateOfAnOpeningThatIsOverHidesNothingOfTheNewest() {
    int first = openings.begin();
    openings.lost(first, cause("one"));
    int second = openings.begin();
    assertEquals(Optional.empty(), openings.saidOfNewest());
    openings.lost(second, cause("two"));
    openings.lost(first, cause("late"));
    assertEquals(Optional.of(cause("two")), openings.saidOfNewest());
    assertEquals("two", assertThrows(DriverException.class, openings::check).getMessage());
    assertEquals(List.of(first, second, first), told);
  }
}
