package io.isle.lib.tango;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Files of any bytes in place of links: they are refused in words, or read within their bounds. */
class LinkFileFuzzTest {
  private static final LinkPlan PLAN = new LinkPlan(128, 256, 1, 7, 2);
  private static Path folder;
  private static byte[] good;
  private static int dcacheAt;

  /** A word of a header, and what is written there. */
  private record Change(int part, int word, long value) {}

  @BeforeContainer
  static void make() throws IOException {
    folder = Files.createTempDirectory("isle-links");
    Path file = folder.resolve("good");
    LinkFile.create(file, PLAN, LinkPlaces.USUAL);
    good = Files.readAllBytes(file);
    try (LinkFile link = LinkFile.open(file, false, LinkPlaces.USUAL)) {
      dcacheAt = Math.toIntExact(link.dcacheOffset());
    }
    Files.delete(file);
  }

  @AfterContainer
  static void remove() throws IOException {
    Files.delete(folder);
  }

  @Provide
  Arbitrary<List<Change>> changes() {
    Arbitrary<Long> values =
        Arbitraries.oneOf(
            Arbitraries.longs(),
            Arbitraries.of(0L, 1L, 127L, 128L, 1L << 24, 1L << 31, 1L << 32, 1L << 62, -1L));
    return Combinators.combine(
            Arbitraries.integers().between(0, 2), Arbitraries.integers().between(0, 31), values)
        .as(Change::new)
        .list()
        .ofMaxSize(3);
  }

  @Property(tries = 500)
  void aFileIsRefusedOrReadWithinItsBounds(
      @ForAll("changes") List<Change> changes, @ForAll("lengths") int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put(0, good, 0, Math.min(length, good.length));
    for (Change change : changes) {
      int base =
          switch (change.part()) {
            case 0 -> 0;
            case 1 -> dcacheAt;
            default -> good.length - 2 * Fseq.BYTES;
          };
      int at = base + 8 * change.word();
      if (at + 8 <= length) {
        bytes.putLong(at, change.value());
      }
    }
    Path file = Files.write(folder.resolve("any"), bytes.array());
    try (LinkFile link = LinkFile.open(file, false, LinkPlaces.USUAL)) {
      read(link);
    } catch (IOException e) {
      assertTrue(e.getMessage().startsWith(file + ": "), e.getMessage());
      assertFalse(e.getMessage().endsWith(": "), e.getMessage());
    } finally {
      Files.delete(file);
    }
  }

  @Provide
  Arbitrary<Integer> lengths() {
    return Arbitraries.frequencyOf(
        net.jqwik.api.Tuple.of(3, Arbitraries.just(good.length)),
        net.jqwik.api.Tuple.of(1, Arbitraries.integers().between(0, good.length + 5000)));
  }

  private static void read(LinkFile link) {
    try {
      assertTrue(link.fseqs().size() <= LinkPlan.MOST_FSEQS);
      assertTrue(link.largestMtu() >= 0);
      if (link.largestMtu() > 0) {
        Chunks chunks = link.chunks(link.largestMtu());
        assertTrue(chunks.mtu() <= Chunks.MOST_MTU);
      }
      LinkReader reader = new LinkReader(link.mcache(), link.mcache().next());
      long ignored = reader.poll();
    } catch (IllegalArgumentException | IllegalStateException e) {
      assertFalse(e.getMessage().isEmpty());
    }
  }
}
