package io.isle.net.xdp.net;

import io.isle.lib.ffi.MemoryFile;
import io.isle.lib.tile.Tap;
import io.isle.lib.tile.TapMark;
import io.isle.net.xdp.host.wire.TileFile;
import io.isle.net.xdp.socket.Umem;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** A tap for each tile of a net, as long as a capture reads them. Belongs to the executor. */
final class NetTap {
  /** Frames that a capture may be behind. */
  private static final int DEPTH = 4096;

  private final Arena lifetime = Arena.ofShared();
  private final List<MemorySegment> memories = new ArrayList<>();
  private final List<MemoryFile> opened = new ArrayList<>();
  private final List<FilePace.Reader> readers = new ArrayList<>();
  private int holders;

  /** Makes taps without frames. */
  NetTap(List<TilePart> parts) {
    for (TilePart part : parts) {
      MemoryFile file = MemoryFile.create("isle-net-tap", Tap.bytes(DEPTH, Umem.FRAME_BYTES));
      opened.add(file);
      file.seal(false);
      MemorySegment memory = file.map(lifetime);
      Tap.format(memory, DEPTH, Umem.FRAME_BYTES, Math.min(part.queue(), TapMark.QUEUES - 1));
      memories.add(memory);
    }
  }

  /** Memory of the taps, by the number of the tile. */
  List<MemorySegment> memories() {
    return memories;
  }

  /** The tap of a tile, for a process. */
  TileFile file(int tile) {
    return new TileFile(memories.get(tile), opened.get(tile).descriptor(), TileFile.Access.WRITE);
  }

  /** Whom a file waits for. */
  List<FilePace.Reader> readers() {
    return readers;
  }

  /** Captures that read. */
  int holders() {
    return holders;
  }

  void hold() {
    holders++;
  }

  /** Gives the memory back behind the last capture. */
  void release() {
    holders--;
    if (holders == 0) {
      lifetime.close();
      opened.forEach(MemoryFile::close);
    }
  }
}
