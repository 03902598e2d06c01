package io.isle.apps.jobs.run.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** The order of a loop's dispatches, against nested calls. */
class CursorTest {
  @Property(tries = 2000)
  void theEventsAreThoseOfNestedLoops(
      @ForAll("loops") LoopNode.Turns root, @ForAll @IntRange(min = 2, max = 50) int leaves) {
    Cursor cursor = cursor(root);
    List<String> seen = walk(cursor, turn -> turn % leaves == leaves - 1);
    assertEquals(new LoopTrees.Recursion(root, turn -> turn % leaves == leaves - 1).seen, seen);
  }

  /** From each event on, the same follows as in the first walk. */
  @Property(tries = 300)
  void aPositionIsReturnedTo(
      @ForAll("loops") LoopNode.Turns root, @ForAll @IntRange(min = 0, max = 400) int place) {
    Cursor cursor = cursor(root);
    List<String> all = walk(cursor, turn -> false);
    cursor.reset();
    int at = place % all.size();
    for (int i = 0; i < at; i++) {
      cursor.advance();
    }
    Cursor.Position position = cursor.position();
    assertEquals(cursor.runs(), position.runs());
    assertEquals(cursor.turn(), position.turn());
    List<String> rest = walk(cursor, turn -> false);
    assertEquals(all.subList(at, all.size()), rest);
    cursor.reset(position);
    assertEquals(position.turn(), cursor.turn());
    assertEquals(rest, walk(cursor, turn -> false));
    Cursor other = cursor(root);
    other.reset(position);
    assertEquals(rest, walk(other, turn -> false));
  }

  @Test
  void hugeLoopsHaveAllTheirTurns() {
    LoopNode.Turns inner = turns(1, -Cursor.MOST, Cursor.MOST, 1, List.of(new LoopNode.Run(0)));
    Cursor cursor = cursor(turns(0, Cursor.MOST, -Cursor.MOST, -3, List.of(inner)));
    assertEquals((2 * (Cursor.MOST / 3)) + 2, cursor.turns());
    cursor.advance();
    assertEquals(Cursor.MOST, cursor.variables()[0]);
    assertEquals(1, cursor.done());
    cursor.leave();
    assertEquals(Cursor.Event.TURN, cursor.event());
    assertEquals(0, cursor.level());
    cursor.advance();
    assertEquals(Cursor.MOST - 3, cursor.variables()[0]);
    assertEquals(-Cursor.MOST, cursor.variables()[1]);
    cursor = cursor(turns(0, -Cursor.MOST, Cursor.MOST, Cursor.MOST, List.of()));
    assertEquals(2, cursor.turns());
  }

  /** Each event comes after bounded work, though no turn has any. */
  @Test
  void turnsWithoutDispatchesAreEvents() {
    LoopNode.Turns none = turns(1, 0, 0, 1, List.of(new LoopNode.Run(0)));
    Cursor cursor = cursor(turns(0, 0, 1L << 60, 1, List.of(none, none)));
    for (int turn = 1; turn < 1000; turn++) {
      assertEquals(Cursor.Event.TURN, cursor.event());
      assertEquals(turn, cursor.done());
      cursor.advance();
    }
  }

  @Test
  void aLoopWithoutTurnsHasEnded() {
    Cursor cursor = cursor(turns(0, 5, 5, 1, List.of(new LoopNode.Run(0))));
    assertEquals(Cursor.Event.END, cursor.event());
    assertEquals(0, cursor.turns());
    assertEquals(0, cursor.turn());
    assertThrows(IllegalStateException.class, cursor::advance);
    assertThrows(IllegalStateException.class, cursor::leave);
  }

  @Provide
  Arbitrary<LoopNode.Turns> loops() {
    return LoopTrees.any();
  }

  private static LoopNode.Turns turns(
      int variable, long from, long to, long by, List<LoopNode> steps) {
    return new LoopNode.Turns(variable, v -> from, v -> to, v -> by, steps, List.of(), -1);
  }

  private static Cursor cursor(LoopNode.Turns root) {
    return new Cursor(root, LoopTrees.NAMES, LoopTrees.DEPTH);
  }

  private static List<String> walk(Cursor cursor, LoopTrees.Leaving leaving) {
    List<String> seen = new ArrayList<>();
    int turn = 0;
    while (cursor.event() != Cursor.Event.END) {
      seen.add(LoopTrees.seen(cursor));
      if (cursor.event() == Cursor.Event.TURN && leaving.leaves(turn++)) {
        cursor.leave();
      } else {
        cursor.advance();
      }
    }
    seen.add(LoopTrees.seen(cursor));
    return seen;
  }
}
