package io.isle.lib.tango;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class LinkWriterTest {
  private static final int MTU = 300;

  @Test
  void aLinkThatNeverPublishedBeginsAtItsFirstChunk() {
    Links link = new Links(128, MTU, 5);
    assertEquals(5, link.writer().seq());
    assertEquals(link.chunks.chunk0(), link.writer().chunk());
  }

  /**
   * Ends a producer anywhere: at a clean end, after a publication, or amid one. seq[0] tells then
   * what it told last, or nothing at all.
   */
  @Property(tries = 400, edgeCases = EdgeCasesMode.MIXIN)
  void aProducerGoesOnWhereTheLastOneEnded(
      @ForAll long seq0,
      @ForAll @IntRange(max = 700) int published,
      @ForAll @IntRange(min = 0, max = MTU) int size,
      @ForAll @IntRange(max = 3) int end) {
    Links link = new Links(128, MTU, seq0);
    LinkWriter writer = link.writer();
    for (int i = 0; i < published; i++) {
      Links.publish(writer, i % 2 == 0 ? size : MTU - size);
    }
    switch (end) {
      case 0 -> writer.settle();
      case 1 -> {
        // seq[0] lags behind
      }
      case 2 -> link.lines.set(Links.U64, link.line(writer.seq()), writer.seq() - 1);
      default -> link.lines.set(Links.U64, 128, seq0);
    }
    LinkWriter next = link.writer();
    assertEquals(writer.seq(), next.seq());
    assertEquals(writer.chunk(), next.chunk());
    assertEquals(next.seq(), link.mcache.produced());
  }

  @Test
  void linesThatNoProducerLeavesAreNamed() {
    Links link = new Links(128, MTU, 0);
    LinkWriter writer = link.writer();
    Links.publish(writer, MTU);
    link.lines.set(Links.U64, link.line(0), 5);
    says(link, "line 0 of an mcache of depth 128 has number 5");
    link.lines.set(Links.U64, link.line(0), 0);
    link.lines.set(Links.U64, link.line(0) + 16, 0);
    says(link, "fragment 0 of 0 bytes at chunk 0 is not in the data region");
    link.lines.set(Links.U64, link.line(0), 128 * 3 - 1);
    link.lines.set(Links.U64, 128, 300);
    says(link, "fragment 299 is published, says the mcache, but its line has number 42");
  }

  private static void says(Links link, String why) {
    String said = assertThrows(IllegalStateException.class, link::writer).getMessage();
    assertTrue(said.contains(why), said);
  }

  @Test
  void aRegionTooSmallForTheDepthIsRefused() {
    Links link = new Links(128, MTU, 0);
    Chunks small = Chunks.of(link.data, 4096, 129 * Chunks.slot(MTU), MTU);
    assertThrows(IllegalArgumentException.class, () -> new LinkWriter(link.mcache, small));
  }
}
