package io.isle.lib.tango;

import io.isle.lib.tango.TangoLayout.DcacheHead;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Makes files with a new link: all parts, or no file. */
final class NewLinkFile {
  private NewLinkFile() {}

  /** As {@link LinkFile#create}. */
  static void create(Path path, LinkPlan plan, LinkPlaces places) throws IOException {
    long dcacheOffset = places.dcacheBehind(plan.mcacheBytes());
    long fseqOffset = places.fseqsBehind(dcacheOffset + plan.dcacheBytes());
    long fseqBytes = (long) plan.fseqs() * Fseq.BYTES;
    LinkPlaces.apart(
        "mcache", places.mcache(), plan.mcacheBytes(), "dcache", dcacheOffset, plan.dcacheBytes());
    LinkPlaces.apart("mcache", places.mcache(), plan.mcacheBytes(), "fseqs", fseqOffset, fseqBytes);
    LinkPlaces.apart("dcache", dcacheOffset, plan.dcacheBytes(), "fseqs", fseqOffset, fseqBytes);
    long size =
        Math.max(
            Math.max(places.mcache() + plan.mcacheBytes(), dcacheOffset + plan.dcacheBytes()),
            fseqOffset + fseqBytes);
    long dataEnd = dcacheOffset + DcacheHead.HEAD_BYTES + plan.dataBytes() - places.chunkBase();
    if (dataEnd > Dcache.MOST_BYTES) {
      throw new IllegalArgumentException(
          "data end "
              + dataEnd
              + " bytes behind the base of chunks, which reach "
              + Dcache.MOST_BYTES);
    }
    if (places.chunkBase() > dcacheOffset + DcacheHead.HEAD_BYTES) {
      throw new IllegalArgumentException(
          "base of chunks " + places.chunkBase() + " lies behind the data of the dcache");
    }
    write(path, plan, places.mcache(), dcacheOffset, fseqOffset, size);
  }

  private static void write(
      Path path, LinkPlan plan, long mcacheOffset, long dcacheOffset, long fseqOffset, long size)
      throws IOException {
    boolean whole = false;
    try (FileChannel channel =
            FileChannel.open(
                path,
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        Arena arena = Arena.ofConfined()) {
      try {
        requireRoom(path, size);
        MemorySegment memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, size, arena);
        for (int i = 0; i < plan.fseqs(); i++) {
          Fseq.create(memory.asSlice(fseqOffset + (long) i * Fseq.BYTES), plan.seq0());
        }
        Dcache.format(memory.asSlice(dcacheOffset), plan.dataBytes(), 0);
        // last: who finds its magic number finds all
        Mcache.create(memory.asSlice(mcacheOffset), plan.depth(), 0, plan.seq0());
        whole = true;
      } finally {
        if (!whole) {
          Files.deleteIfExists(path);
        }
      }
    } catch (FileAlreadyExistsException e) {
      throw new IOException(path + " exists; delete the file, or choose another path", e);
    } catch (NoSuchFileException e) {
      throw new IOException(path + " cannot be made: its folder does not exist", e);
    }
  }

  private static void requireRoom(Path path, long size) throws IOException {
    long free = Files.getFileStore(path).getUsableSpace();
    if (free < size) {
      throw new IOException(
          path + " needs " + size + " bytes, and the file system has " + free + " bytes left");
    }
  }
}
