package io.isle.net.xdp.attach;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.lib.ffi.MemoryFile;
import io.isle.lib.ffi.PosixException;
import io.isle.lib.tango.Chunks;
import io.isle.lib.tango.Dcache;
import io.isle.lib.tango.Frag;
import io.isle.lib.tango.Fseq;
import io.isle.lib.tango.LinkReader;
import io.isle.lib.tango.LinkWriter;
import io.isle.lib.tango.Mcache;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AppLinkTest {
  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

  @ParameterizedTest
  @CsvSource({"1,128,64", "16,4096,2048", "2,256,1514"})
  void whatTheAppWritesIsReadHere(int tiles, int depth, int mtu) {
    try (AppLink link = AppLink.create("test", tiles, depth, mtu);
        Arena app = Arena.ofConfined()) {
      Attachment.Tx lent = link.lent();
      assertEquals(lent.file().bytes(), MemoryFile.fixedSize(lent.file().descriptor()));
      MemorySegment file =
          MemoryFile.map(lent.file().descriptor(), lent.file().bytes(), true, app);
      Dcache dcache = Dcache.open(file.asSlice(lent.dcache()));
      assertEquals(link.dataBytes(), dcache.dataBytes());
      Mcache mcache = Mcache.open(file.asSlice(lent.mcache(), lent.dcache() - lent.mcache()));
      assertEquals(depth, mcache.depth());
      LinkWriter writer =
          new LinkWriter(mcache, Chunks.of(file, link.data(), link.dataBytes(), mtu));
      LinkReader reader = new LinkReader(Mcache.open(link.memory()), link.seq0());
      for (int i = 0; i < 3 * depth; i++) {
        writer.memory().set(BYTE, writer.offset() + mtu - 1, (byte) i);
        writer.publish(i, mtu, Frag.WHOLE, 0, 0);
        assertEquals(0, reader.poll());
        Frag frag = reader.frag();
        assertTrue(frag.chunk() << 6 >= link.data());
        assertEquals((byte) i, link.memory().get(BYTE, (frag.chunk() << 6) + mtu - 1));
        assertEquals(0, reader.take());
      }
    }
  }

  @Test
  void theLinkIsForReadingHereAndItsSizeStays() {
    try (AppLink link = AppLink.create("test", 1, 128, 64)) {
      assertTrue(link.memory().isReadOnly());
      assertEquals(128, link.depth());
      assertEquals(64, link.mtu());
      assertThrows(IllegalArgumentException.class, () -> link.memory().set(BYTE, 0, (byte) 0));
    }
  }

  @Test
  void eachTileHasItsProgress() {
    try (AppLink link = AppLink.create("test", 16, 128, 64);
        Arena app = Arena.ofConfined()) {
      Attachment.Lent lent = link.lentProgress();
      MemorySegment seen = MemoryFile.map(lent.descriptor(), lent.bytes(), false, app);
      for (int tile = 0; tile < 16; tile++) {
        Fseq.open(link.progress(tile)).seq(tile + 1);
        link.progress(tile).set(ValueLayout.JAVA_LONG, 32, 7);
        MemorySegment own = seen.asSlice(tile * 128L, 128);
        assertEquals(tile + 1, Fseq.open(own).seq());
        assertEquals(7, own.get(ValueLayout.JAVA_LONG, 32));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"127,64", "128,0", "128,65536"})
  void limitsAreChecked(int depth, int mtu) {
    assertThrows(
        IllegalArgumentException.class, () -> AppLink.create("test", 1, depth, mtu).close());
  }

  @Test
  void lentMemoryCannotBeMappedForWriting() {
    try (LentMemory memory = LentMemory.create("test", 4096);
        Arena app = Arena.ofConfined()) {
      Attachment.Lent lent = memory.lent();
      assertEquals(4096, lent.bytes());
      assertEquals(4096, MemoryFile.fixedSize(lent.descriptor()));
      assertNotEquals(memory.descriptor(), lent.descriptor());
      memory.memory().set(BYTE, 99, (byte) 5);
      assertEquals(5, MemoryFile.map(lent.descriptor(), 4096, false, app).get(BYTE, 99));
      PosixException refusal =
          assertThrows(
              PosixException.class, () -> MemoryFile.map(lent.descriptor(), 4096, true, app));
      assertEquals(Errno.EACCES, refusal.code());
    }
  }
}
