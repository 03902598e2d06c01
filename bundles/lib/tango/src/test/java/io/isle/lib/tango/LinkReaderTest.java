package io.isle.lib.tango;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class LinkReaderTest {
  private static final int MTU = 300;

  /** Against a plain model: what was published last is there, and each number counts once. */
  @Property(tries = 300, edgeCases = EdgeCasesMode.MIXIN)
  void eachFragmentIsReadOrLost(
      @ForAll long seq0,
      @ForAll @Size(max = 40) List<@IntRange(max = 300) Integer> bursts,
      @ForAll @IntRange(min = 1, max = 200) int reads) {
    Links link = new Links(128, MTU, seq0);
    LinkWriter writer = link.writer();
    LinkReader reader = new LinkReader(link.mcache, link.mcache.next());
    long count = 0;
    for (int burst : bursts) {
      for (int i = 0; i < burst; i++) {
        Links.publish(writer, Math.floorMod(writer.seq(), MTU + 1));
      }
      for (int i = 0; i < reads; i++) {
        long behind = writer.seq() - reader.seq();
        long got = reader.poll();
        if (behind == 0) {
          assertTrue(got < 0);
        } else if (behind <= 128) {
          assertEquals(0, got);
          assertTrue(link.isWhole(reader.frag()));
          assertEquals(0, reader.take());
          count++;
        } else {
          assertTrue(got > 0 && writer.seq() - reader.seq() <= 128, "at a number that is there");
        }
        assertEquals(reader.seq() - seq0, count + reader.lost());
      }
    }
    assertEquals(0, reader.overrunsReading());
  }

  @Test
  void aFragmentThatIsOverwrittenWhileItIsReadIsLost() {
    Links link = new Links(128, MTU, 0);
    LinkWriter writer = link.writer();
    LinkReader reader = new LinkReader(link.mcache, 0);
    Links.publish(writer, 8);
    assertEquals(0, reader.poll());
    for (int i = 0; i < 128; i++) {
      Links.publish(writer, 8);
    }
    assertEquals(128, reader.take());
    assertEquals(128, reader.seq());
    assertEquals(128, reader.lost());
    assertEquals(1, reader.overrunsReading());
    assertEquals(0, reader.overrunsPolling());
    assertEquals(0, reader.poll());
  }

  /** The number of a line that is being written is one less: a fragment that is there. */
  @Test
  void anOverrunAmidAPublicationGoesOnAtAFragmentThatIsThere() {
    Links link = new Links(128, MTU, 0);
    LinkWriter writer = link.writer();
    for (int i = 0; i < 128; i++) {
      Links.publish(writer, 8);
    }
    LinkReader reader = new LinkReader(link.mcache, 0);
    link.lines.set(Links.U64, link.line(128), 127);
    assertEquals(127, reader.poll());
    assertEquals(1, reader.overrunsPolling());
    assertEquals(0, reader.poll());
    assertEquals(127, reader.frag().seq());
  }

  @Test
  void aConsumerFromNowOnBeginsBehindAllThatIsPublished() {
    Links link = new Links(128, MTU, -70);
    LinkWriter writer = link.writer();
    for (int i = 0; i < 1000; i++) {
      assertEquals(writer.seq(), link.mcache.next());
      Links.publish(writer, 8);
    }
  }
}
