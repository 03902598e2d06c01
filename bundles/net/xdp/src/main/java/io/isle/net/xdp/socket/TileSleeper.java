package io.isle.net.xdp.socket;

import io.isle.lib.agent.AgentSleeper;
import io.isle.lib.ffi.Epoll;
import io.isle.lib.ffi.EpollEvents;
import io.isle.lib.ffi.EventDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.List;

/**
 * The sleep of a tile: until a frame arrives, or an app has published frames. Bells of other
 * processes are never read: their owners may have made a read wait.
 */
public final class TileSleeper implements AgentSleeper, AutoCloseable {
  /** Of the fseq by which a tile tells its progress: not 0 while the tile may sleep. */
  private static final long ASLEEP = 32;

  private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();
  private static final long OWN = 1;
  private static final int MOST_EVENTS = 64;

  private final EventDescriptor event;
  private final Epoll epoll = new Epoll();
  private final EpollEvents events = new EpollEvents(MOST_EVENTS);
  private final SocketWait wait;
  private MemorySegment[] progress = {};
  private final MemorySegment asleep;

  /**
   * @param event that {@link #wake} and apps of this process ring; closed at the end
   * @param sockets descriptors of the tile's sockets
   * @param asleep word that is not 0 while the tile may sleep, here or in a process
   */
  public TileSleeper(EventDescriptor event, List<Integer> sockets, MemorySegment asleep) {
    this.event = event;
    this.asleep = asleep;
    wait = new SocketWait(epoll, sockets);
    int code = epoll.add(event.descriptor(), EpollEvents.EPOLLIN, OWN);
    if (code != 0) {
      close();
      throw new IllegalStateException("epoll_ctl: error " + -code);
    }
  }

  /** An app of another process rings by this eventfd from now on; the tile does not run. */
  public void add(int bell) {
    int code = epoll.add(bell, EpollEvents.EPOLLIN | EpollEvents.EPOLLET, 0);
    if (code != 0) {
      throw new IllegalStateException("epoll_ctl: error " + -code);
    }
  }

  /** The eventfd does not ring any more, before its close; the tile does not run. */
  public void remove(int bell) {
    int ignored = epoll.remove(bell);
  }

  /** The fseqs that tell apps of other processes whether to ring; the tile does not run. */
  public void tell(List<MemorySegment> fseqs) {
    progress = fseqs.toArray(MemorySegment[]::new);
  }

  @Override
  public void look() {
    tell(1);
  }

  private void tell(long value) {
    WORD.setRelease(asleep, 0L, value);
    for (MemorySegment one : progress) {
      WORD.setRelease(one, ASLEEP, value);
    }
    VarHandle.fullFence();
  }

  @Override
  public void sleep(long timeoutNs) {
    int count = wait.await(events, timeoutNs);
    tell(0);
    for (int i = 0; i < count; i++) {
      if (events.token(i) == OWN) {
        long _ = event.drain();
      }
    }
  }

  /** Descriptor of the eventfd that apps of this process ring. */
  public int event() {
    return event.descriptor();
  }

  @Override
  public void wake() {
    event.signal();
  }

  /** An app of this process has published frames: nothing to do while the tile is awake. */
  public void ring() {
    if ((long) WORD.getAcquire(asleep, 0L) != 0) {
      event.signal();
    }
  }

  @Override
  public void close() {
    epoll.close();
    event.close();
  }
}
