package io.isle.net.xdp.net;

import io.isle.api.base.Errno;
import io.isle.api.net.FramePort;
import io.isle.lib.tango.Chunks;
import io.isle.lib.tango.Fctl;
import io.isle.lib.tango.Frag;
import io.isle.lib.tango.Fseq;
import io.isle.lib.tango.LinkReader;
import io.isle.lib.tango.LinkWriter;
import io.isle.lib.tango.Mcache;
import io.isle.net.xdp.socket.TileSleeper;
import io.isle.net.xdp.tap.Overruns;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** An app's side of its links: frames of all tiles in turn, and one link to them. */
final class AppPort implements FramePort, FilePace.Reader {
  private static final int LEAST_FRAME = 14;

  /** Looks of a call that may find no whole frame. */
  private static final int MOST_LOSSES = 64;

  private final LinkReader[] readers;
  private final MemorySegment[] umems;
  private final Mcache first;
  private final long start;
  private final LinkWriter writer;
  private final Fctl credits;
  private final int mtu;
  private final MemorySegment copy;
  private final TileSleeper[] bells;
  private int turn;
  private int claimed = -1;
  private boolean fresh;
  private volatile boolean closed;
  private final AtomicLong received = new AtomicLong();
  private final AtomicLong sent = new AtomicLong();
  private final Overruns lost = new Overruns();

  /**
   * @param rx links from the tiles
   * @param umems frames of the tiles, in the same order
   * @param tx lines of the link to the tiles
   * @param chunks payloads of that link
   * @param progress of each tile on that link
   * @param copy room for a frame
   * @param bells of the tiles
   */
  AppPort(
      List<Mcache> rx,
      List<MemorySegment> umems,
      Mcache tx,
      Chunks chunks,
      List<Fseq> progress,
      MemorySegment copy,
      List<TileSleeper> bells) {
    readers = rx.stream().map(one -> new LinkReader(one, one.next())).toArray(LinkReader[]::new);
    this.umems = umems.toArray(MemorySegment[]::new);
    first = rx.getFirst();
    start = readers[0].seq();
    writer = new LinkWriter(tx, chunks);
    mtu = chunks.mtu();
    credits =
        new Fctl(
            progress.stream().map(one -> new Fctl.Consumer(one, tx.depth())).toList(),
            Fctl.Limits.USUAL,
            writer.seq());
    this.copy = copy;
    this.bells = bells.toArray(TileSleeper[]::new);
  }

  @Override
  public int poll(Handler handler, int limit) {
    return frames(handler, null, limit);
  }

  @Override
  public int pollInPlace(PlaceHandler handler, int limit) {
    return frames(handler, handler, limit);
  }

  /** A link that has no frame costs one look; the next call begins with the next link. */
  private int frames(Handler handler, PlaceHandler place, int limit) {
    if (closed) {
      return -Errno.ECLOSED;
    }
    int count = 0;
    for (int i = 0; i < readers.length && count < limit; i++) {
      int link = turn;
      turn = turn + 1 == readers.length ? 0 : turn + 1;
      count += frames(link, handler, place, limit - count);
    }
    if (count > 0) {
      add(received, count);
    }
    return count;
  }

  /** Of a counter that this thread alone writes. */
  private static void add(AtomicLong counter, long more) {
    counter.setRelease(counter.getPlain() + more);
  }

  private int frames(int link, Handler handler, PlaceHandler place, int limit) {
    LinkReader reader = readers[link];
    MemorySegment umem = umems[link];
    int count = 0;
    // a producer that is always ahead must not keep the app here
    for (int looks = 0; count < limit && looks - MOST_LOSSES < limit; looks++) {
      long ahead = reader.poll();
      if (ahead < 0) {
        return count;
      }
      if (ahead > 0) {
        lost.polling(ahead);
        continue;
      }
      Frag frag = reader.frag();
      long offset = Chunks.offset(frag.chunk(), frag.ctl());
      int size = frag.size();
      if (offset + size > umem.byteSize() || size > copy.byteSize()) {
        // the line was replaced amid the look, which the reader finds
        lost.polling(Math.max(1, reader.take()));
      } else if (place != null) {
        place.frame(umem, offset, size, frag.sig());
        count += end(reader, place);
      } else {
        count += copied(reader, umem, offset, size, handler);
      }
    }
    return count;
  }

  private int end(LinkReader reader, PlaceHandler place) {
    long gone = reader.take();
    if (gone > 0) {
      lost.reading(gone);
      place.overrun();
      return 0;
    }
    place.valid();
    return 1;
  }

  private int copied(
      LinkReader reader, MemorySegment umem, long offset, int size, Handler handler) {
    long signature = reader.frag().sig();
    MemorySegment.copy(umem, offset, copy, 0, size);
    long gone = reader.take();
    if (gone > 0) {
      lost.reading(gone);
      return 0;
    }
    handler.frame(copy, 0, size, signature);
    return 1;
  }

  @Override
  public long overruns() {
    return lost.all();
  }

  /** The lost frames by the time of the loss. */
  Overruns lost() {
    return lost;
  }

  /** Frames that the app has taken; any thread. */
  long received() {
    return received.get();
  }

  @Override
  public int depth() {
    return first.depth();
  }

  /** Of the first tile. */
  @Override
  public long produced() {
    return first.produced() - start;
  }

  @Override
  public long taken() {
    return received() + overruns();
  }

  /** Frames that the app has published; any thread. */
  long sent() {
    return sent.get();
  }

  @Override
  public MemorySegment memory() {
    return writer.memory();
  }

  @Override
  public int mtu() {
    return mtu;
  }

  @Override
  public long claim(int length) {
    if (closed) {
      return -Errno.ECLOSED;
    }
    if (length < LEAST_FRAME || length > mtu) {
      return -Errno.EMSGSIZE;
    }
    if (credits.available() == 0 && credits.update(writer.seq()) == 0) {
      return -Errno.EAGAIN;
    }
    claimed = length;
    return writer.offset();
  }

  @Override
  public int publish(int length, long signature) {
    if (closed) {
      return -Errno.ECLOSED;
    }
    if (length < LEAST_FRAME || length > claimed) {
      return -Errno.EINVAL;
    }
    claimed = -1;
    writer.publish(signature, length, Frag.WHOLE, 0, 0);
    credits.spend(1);
    add(sent, 1);
    fresh = true;
    return 0;
  }

  @Override
  public int flush() {
    if (closed) {
      return -Errno.ECLOSED;
    }
    if (fresh) {
      fresh = false;
      writer.settle();
      // the frames are visible before the look at who sleeps
      VarHandle.fullFence();
      for (TileSleeper bell : bells) {
        bell.ring();
      }
    }
    return 0;
  }

  @Override
  public void close() {
    closed = true;
  }
}
