package io.isle.apps.chaos.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class TaskTest {
  @Property(tries = 200)
  void eachTaskFitsItsInputAndGivesAResultOfItsOwn(@ForAll long seed) {
    Random random = new Random(seed);
    byte[] input = new byte[Task.INPUT];
    random.nextBytes(input);
    Task first = Task.next(random);
    Task second = Task.next(random);
    assertEquals(first.expected(input), first.expected(input));
    if (first.kind() != second.kind() || first.offset() != second.offset()) {
      assertNotEquals(first.expected(input), second.expected(input));
    }
  }

  @Test
  void aPatternIsLaidOutFromItsLowestByte() {
    byte[] expected = new byte[Task.LENGTH];
    for (int i = 0; i < expected.length; i += 4) {
      expected[i] = 4;
      expected[i + 1] = 3;
      expected[i + 2] = 2;
      expected[i + 3] = 1;
    }
    Task fill = new Task(Task.Kind.FILL, 0, 0x01020304, 0);
    assertEquals(Task.fingerprint(expected), fill.expected(new byte[0]));
  }

  @Test
  void aDigestIsOfEachBlock() throws Exception {
    byte[] input = new byte[Task.INPUT];
    byte[] digest = java.security.MessageDigest.getInstance("SHA-256").digest(new byte[Task.BLOCK]);
    byte[] expected = new byte[4 * digest.length];
    for (int i = 0; i < 4; i++) {
      System.arraycopy(digest, 0, expected, i * digest.length, digest.length);
    }
    Task sha = new Task(Task.Kind.SHA256, 64, 0, 0);
    assertEquals(Task.fingerprint(expected), sha.expected(input));
  }
}
