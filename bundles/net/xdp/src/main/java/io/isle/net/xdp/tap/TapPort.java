package io.isle.net.xdp.tap;

import io.isle.api.base.Errno;
import io.isle.api.net.FramePort;
import io.isle.lib.tango.Chunks;
import io.isle.lib.tango.Frag;
import io.isle.lib.tango.LinkReader;
import io.isle.lib.tango.Mcache;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The taps of all tiles of a net as one source, from the next frame of each on. Nothing can be
 * sent: the mtu is 0. Signatures are those of {@link io.isle.lib.tile.TapMark}.
 */
public final class TapPort implements FramePort {
  private static final MemorySegment NONE = MemorySegment.ofArray(new byte[0]);

  private final MemorySegment[] memories;
  private final LinkReader[] readers;
  private final MemorySegment copy = MemorySegment.ofArray(new byte[Chunks.MOST_MTU]);
  private int turn;
  private final Overruns overruns = new Overruns();
  private volatile boolean closed;

  /**
   * @param taps memory of {@link io.isle.lib.tile.Tap}, one or more; it must stay alive, and be
   *     accessible to the reading thread, until the thread reads no more
   * @throws IllegalArgumentException for memory that is no tap
   */
  public TapPort(List<MemorySegment> taps) {
    memories = taps.toArray(MemorySegment[]::new);
    readers = taps.stream().map(TapPort::reader).toArray(LinkReader[]::new);
  }

  private static LinkReader reader(MemorySegment tap) {
    Mcache mcache = Mcache.open(tap);
    return new LinkReader(mcache, mcache.next());
  }

  @Override
  public int poll(Handler handler, int limit) {
    return frames(handler, null, limit);
  }

  @Override
  public int pollInPlace(PlaceHandler handler, int limit) {
    return frames(handler, handler, limit);
  }

  /** A call ends at the limit, or when each tap has been looked at; the next begins behind. */
  private int frames(Handler handler, PlaceHandler place, int limit) {
    if (closed) {
      return -Errno.ECLOSED;
    }
    int count = 0;
    for (int i = 0; i < readers.length && count < limit; i++) {
      int tap = turn;
      turn = tap + 1 == readers.length ? 0 : tap + 1;
      count += frames(readers[tap], memories[tap], handler, place, limit - count);
    }
    return count;
  }

  private int frames(
      LinkReader reader, MemorySegment memory, Handler handler, PlaceHandler place, int limit) {
    int count = 0;
    while (count < limit) {
      long ahead = reader.poll();
      if (ahead < 0) {
        break;
      }
      if (ahead > 0) {
        overruns.polling(ahead);
      } else if (frame(reader, memory, handler, place)) {
        count++;
      }
    }
    return count;
  }

  private boolean frame(
      LinkReader reader, MemorySegment memory, Handler handler, PlaceHandler place) {
    Frag frag = reader.frag();
    long offset = Chunks.offset(frag.chunk());
    int size = frag.size();
    if (offset + size > memory.byteSize()) {
      // of a tile in a process of its own, which is not trusted
      overruns.polling(Math.max(1, reader.take()));
      return false;
    }
    if (place != null) {
      place.frame(memory, offset, size, frag.sig());
      return ended(reader, place);
    }
    long signature = frag.sig();
    MemorySegment.copy(memory, offset, copy, 0, size);
    long gone = reader.take();
    if (gone != 0) {
      overruns.reading(gone);
      return false;
    }
    handler.frame(copy, 0, size, signature);
    return true;
  }

  private boolean ended(LinkReader reader, PlaceHandler place) {
    long gone = reader.take();
    if (gone != 0) {
      overruns.reading(gone);
      place.overrun();
      return false;
    }
    place.valid();
    return true;
  }

  @Override
  public long overruns() {
    return overruns.all();
  }

  /** The lost frames by the time of the loss; the handler of a frame is told those before it. */
  public Overruns lost() {
    return overruns;
  }

  @Override
  public MemorySegment memory() {
    return NONE;
  }

  @Override
  public int mtu() {
    return 0;
  }

  @Override
  public long claim(int length) {
    return closed ? -Errno.ECLOSED : -Errno.EMSGSIZE;
  }

  @Override
  public int publish(int length, long signature) {
    return closed ? -Errno.ECLOSED : -Errno.EINVAL;
  }

  @Override
  public int flush() {
    return closed ? -Errno.ECLOSED : 0;
  }

  @Override
  public void close() {
    closed = true;
  }
}
