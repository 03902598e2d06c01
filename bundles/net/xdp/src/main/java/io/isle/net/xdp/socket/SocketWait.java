package io.isle.net.xdp.socket;

import io.isle.lib.agent.AgentSleeper;
import io.isle.lib.ffi.Epoll;
import io.isle.lib.ffi.EpollEvents;
import java.util.List;

/**
 * Waits for events of an epoll and for frames of sockets. The sockets are in the epoll during the
 * wait alone: the kernel wakes whoever waits for a socket with each frame that arrives or has left,
 * which would cost a tile at work a tenth of its time. One thread; allocates nothing while waiting.
 */
public final class SocketWait {
  private final Epoll epoll;
  private final int[] sockets;

  /**
   * @param epoll with other descriptors; the caller's, who closes it
   * @param sockets descriptors
   */
  public SocketWait(Epoll epoll, List<Integer> sockets) {
    this.epoll = epoll;
    this.sockets = sockets.stream().mapToInt(Integer::intValue).toArray();
  }

  /**
   * Waits for the first events; frames that are there already end the wait at once. Events of
   * sockets have the token 0.
   *
   * @param timeoutNs 0 or less does not wait
   * @return as {@link Epoll#await}
   */
  public int await(EpollEvents events, long timeoutNs) {
    long most = timeoutNs;
    for (int socket : sockets) {
      if (epoll.add(socket, EpollEvents.EPOLLIN, 0) < 0) {
        most = Math.min(most, AgentSleeper.MOST_DEAF_NS);
      }
    }
    int count = epoll.await(events, most);
    for (int socket : sockets) {
      int ignored = epoll.remove(socket);
    }
    return count;
  }
}
