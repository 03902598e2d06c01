package io.isle.lib.tango;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

class LinkFileTest {
  private static final LinkPlan PLAN = new LinkPlan(128, 1500, 1, -1, 2);

  @TempDir Path dir;

  private Path made(LinkPlan plan, LinkPlaces places) throws IOException {
    Path path = dir.resolve("link");
    LinkFile.create(path, plan, places);
    return path;
  }

  /** All bytes of a new file: mcache, dcache at the next 4096, then fseqs. */
  @Test
  void aNewFileIsTheSameToTheByte() throws IOException {
    byte[] found = Files.readAllBytes(made(PLAN, LinkPlaces.USUAL));
    long data = 1536 * 130;
    long dcache = 8192;
    long fseqs = dcache + 4096 + TangoLayout.aligned(data, 4096);
    MemorySegment wanted = Links.memory(fseqs + 256, 4096);
    Mcache.create(wanted, 128, 0, -1);
    Dcache.create(wanted.asSlice(dcache), data, 0);
    Fseq.create(wanted.asSlice(fseqs), -1);
    Fseq.create(wanted.asSlice(fseqs + 128), -1);
    assertEquals(-1, wanted.mismatch(MemorySegment.ofArray(found)));
  }

  @Test
  void aFileIsOpenedWithAllItsParts() throws IOException {
    try (LinkFile link = LinkFile.open(made(PLAN, LinkPlaces.USUAL), false, LinkPlaces.USUAL)) {
      assertEquals(128, link.mcache().depth());
      assertEquals(-1, link.mcache().seq0());
      assertEquals(1536, link.largestMtu());
      assertEquals((8192 + 4096) / 64, link.chunks(1500).chunk0());
      assertEquals(2, link.fseqs().size());
      assertEquals(-1, link.fseq(1).seq());
      says("fseq 2 at", () -> link.fseq(2));
      says("fseq -1 ", () -> link.fseq(-1));
    }
  }

  @Test
  void partsAreAtOtherPlacesWhereTheseAreNamed() throws IOException {
    LinkPlaces places = new LinkPlaces(1 << 20, 4096L, 0L, 4096);
    try (LinkFile link = LinkFile.open(made(PLAN, places), true, places)) {
      assertEquals(64, link.chunks(1500).chunk0());
      assertEquals(2, link.fseqs().size());
      LinkWriter writer = new LinkWriter(link.mcache(), link.chunks(1500));
      writer.publish(-1, 0, 3, 0, 0);
      assertEquals(0, writer.seq());
    }
    // no fseqs are looked for behind a part that was placed by hand
    try (LinkFile link =
        LinkFile.open(dir.resolve("link"), false, new LinkPlaces(1 << 20, 4096L, null, 0))) {
      assertTrue(link.fseqs().isEmpty());
    }
  }

  @Test
  void placesThatOverlapOrAreNotAlignedAreRefused() {
    says("multiple of 128", () -> new LinkPlaces(64, null, null, 0));
    says("multiple of 4096", () -> new LinkPlaces(0, 128L, null, 0));
    says("fseqs -128", () -> new LinkPlaces(0, null, -128L, 0));
    says("base of chunks", () -> new LinkPlaces(0, null, null, 64));
    overlaps("mcache at 0..4351 and dcache at 4096..", new LinkPlaces(0, 4096L, null, 0));
    overlaps("mcache at 0..4351 and fseqs at 4224..", new LinkPlaces(0, null, 4224L, 0));
    overlaps("dcache at 8192..", new LinkPlaces(0, null, 8192L, 0));
    overlaps("base of chunks", new LinkPlaces(0, null, null, 1 << 20));
    assertFalse(Files.exists(dir.resolve("link")), "nothing is made");
  }

  private void overlaps(String why, LinkPlaces places) {
    says(why, () -> made(PLAN, places));
  }

  private static void says(String why, Executable work) {
    String said = assertThrows(IllegalArgumentException.class, work).getMessage();
    assertTrue(said.contains(why), said);
  }

  @Test
  void plansBeyondLimitsAreRefusedWithTheLimit() {
    says("depth 100", () -> new LinkPlan(100, 1500, 1, 0, 0));
    says("mtu 65536", () -> new LinkPlan(128, 65_536, 1, 0, 0));
    says("burst 0", () -> new LinkPlan(128, 1500, 0, 0, 0));
    says("0..1024", () -> new LinkPlan(128, 1500, 1, 0, 1025));
    says("chunks reach 274877906880", () -> new LinkPlan(1 << 24, 65_535, 1, 0, 0));
    LinkPlan large = new LinkPlan(1 << 22, 65_400, 1, 0, 0);
    says("behind the base of chunks", () -> made(large, new LinkPlaces(0, 1L << 30, null, 0)));
  }

  @Test
  void aFileIsNotMadeTwice() throws IOException {
    Path path = made(PLAN, LinkPlaces.USUAL);
    fails("exists", () -> LinkFile.create(path, PLAN, LinkPlaces.USUAL));
    fails(
        "folder does not exist",
        () -> LinkFile.create(dir.resolve("no/link"), PLAN, LinkPlaces.USUAL));
  }

  private static void fails(String why, Executable work) {
    String said = assertThrows(IOException.class, work).getMessage();
    assertTrue(said.contains(why), said);
  }

  private static LinkFile opened(Path path) throws IOException {
    return LinkFile.open(path, false, LinkPlaces.USUAL);
  }

  @Test
  void filesWithoutALinkAreRefusedWithTheReason() throws IOException {
    Path path = made(PLAN, LinkPlaces.USUAL);
    fails("does not exist", () -> opened(dir.resolve("none")));
    fails("not a regular file", () -> opened(dir));
    fails("mcache is expected at 0", () -> opened(Files.createFile(dir.resolve("empty"))));
    fails("magic of an mcache", () -> opened(Files.write(dir.resolve("text"), new byte[4096])));
    changed(path, 8, 127, "depth 127");
    changed(path, 8, 1 << 23, "an mcache of depth 8388608 has");
    changed(path, 8192, 0, "magic of a dcache");
    changed(path, 8200, 1L << 40, "data region");
    changed(path, 8200, 1L << 30, "a dcache of 1073741824 bytes");
    fails(
        "base of chunks", () -> LinkFile.open(path, false, new LinkPlaces(0, null, null, 1 << 20)));
    // a dcache without data, in the lines
    write(write(write(path, 4096, Dcache.MAGIC_VALUE), 4096 + 16, 0), 4096 + 24, 4096);
    fails("overlap", () -> LinkFile.open(path, false, new LinkPlaces(0, 4096L, null, 0)));
    long fseqs = 8192 + 4096 + TangoLayout.aligned(1536 * 130, 4096);
    try (LinkFile link = opened(write(path, fseqs + 128, 0))) {
      says("fseq 1 at " + (fseqs + 128) + ": magic of an fseq", link::fseqs);
      assertEquals(-1, link.fseq(0).seq());
    }
    Files.write(path, new byte[5], StandardOpenOption.APPEND);
    try (LinkFile link = opened(path)) {
      says("bytes behind the dcache", link::fseqs);
    }
  }

  private static Path write(Path path, long offset, long value) throws IOException {
    try (FileChannel channel =
            FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        Arena arena = Arena.ofConfined()) {
      channel
          .map(FileChannel.MapMode.READ_WRITE, 0, channel.size(), arena)
          .set(Links.U64, offset, value);
    }
    return path;
  }

  private static void changed(Path path, long offset, long value, String why) throws IOException {
    byte[] before = Files.readAllBytes(path);
    fails(why, () -> opened(write(path, offset, value)));
    Path ignored = Files.write(path, before);
  }

  @Test
  void aLinkHasOneProducerAndAnFseqOneConsumer() throws IOException {
    Path path = made(PLAN, LinkPlaces.USUAL);
    try (LinkFile one = LinkFile.open(path, true, LinkPlaces.USUAL);
        LinkFile other = LinkFile.open(path, true, LinkPlaces.USUAL)) {
      one.lockProducer();
      fails("publishes on this link", other::lockProducer);
      one.lockConsumer(0);
      fails("fseq 0", () -> other.lockConsumer(0));
      other.lockConsumer(1);
    }
    try (LinkFile again = LinkFile.open(path, true, LinkPlaces.USUAL)) {
      again.lockProducer();
    }
  }

  /** A consumer's mapping is for reading: a mistake is an exception, and no end of the process. */
  @Test
  void aLinkThatIsOpenForReadingIsNotWritten() throws IOException {
    try (LinkFile link = opened(made(PLAN, LinkPlaces.USUAL))) {
      assertThrows(
          IllegalArgumentException.class, () -> link.mcache().publish(-1, 0, 192, 0, 3, 0, 0));
      assertThrows(IllegalArgumentException.class, () -> link.mcache().produced(0));
      assertEquals(-1, link.mcache().next());
    }
  }

  /** Accesses end with the mapping. */
  @Test
  void aClosedLinkIsNotRead() throws IOException {
    LinkFile link = opened(made(PLAN, LinkPlaces.USUAL));
    link.close();
    assertThrows(IllegalStateException.class, () -> link.mcache().read(-1, new Frag()));
    assertThrows(IllegalStateException.class, () -> link.mcache().produced());
  }

  /** What a program sees whose file another one shortens. */
  @Test
  void aTruncatedFileEndsAccessesWithAnError() throws IOException {
    Path path = made(PLAN, LinkPlaces.USUAL);
    try (LinkFile link = LinkFile.open(path, true, LinkPlaces.USUAL)) {
      LinkWriter writer = new LinkWriter(link.mcache(), link.chunks(1500));
      link.requireWhole();
      try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
        channel.truncate(0);
      }
      assertThrows(InternalError.class, () -> writer.publish(1, 1, 3, 0, 0));
      assertThrows(InternalError.class, () -> writer.memory().asSlice(8192, 4096).fill((byte) 1));
      fails("was truncated from", link::requireWhole);
    }
  }
}
