package io.isle.net.xdp.net;

import io.isle.lib.agent.AgentSleeper;
import io.isle.lib.ffi.EventDescriptor;
import io.isle.lib.ffi.PollSet;

/** The sleep of a tile: until a frame arrives, or an app has published frames. */
final class TileSleeper implements AgentSleeper, AutoCloseable {
  private final EventDescriptor event = new EventDescriptor();
  private final PollSet poll = new PollSet(2);
  private volatile boolean asleep;

  /**
   * @param socket descriptor of the tile's socket
   */
  TileSleeper(int socket) {
    poll.set(0, socket, PollSet.POLLIN);
    poll.set(1, event.descriptor(), PollSet.POLLIN);
  }

  /** For apps in other processes, which write to it behind frames. */
  int descriptor() {
    return event.descriptor();
  }

  @Override
  public void look() {
    asleep = true;
  }

  @Override
  public void sleep(long timeoutNs) {
    int ignored = poll.await(2, timeoutNs);
    asleep = false;
    if (poll.happened(1) != 0) {
      long rings = event.drain();
    }
  }

  @Override
  public void wake() {
    event.signal();
  }

  /** An app of this process has published frames: nothing to do while the tile is awake. */
  void ring() {
    if (asleep) {
      event.signal();
    }
  }

  @Override
  public void close() {
    event.close();
  }
}
