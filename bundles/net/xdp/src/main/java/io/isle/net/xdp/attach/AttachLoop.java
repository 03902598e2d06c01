package io.isle.net.xdp.attach;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.lib.ffi.DescriptorMessage;
import io.isle.lib.ffi.PeerCredentials;
import io.isle.lib.ffi.PollSet;
import io.isle.lib.ffi.PosixException;
import io.isle.lib.ffi.SocketErrors;
import io.isle.lib.ffi.Sockets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalInt;

/**
 * Serves the connections of a listening socket: a state machine without a thread and a clock, whose
 * calls never wait. A newcomer names its app by one message and gets one answer; its connection is
 * the life of the attachment. One thread at a time.
 */
final class AttachLoop {
  /** Most attached processes. */
  static final int MOST_ATTACHED = 32;

  /** Most connections that have named no app yet. */
  static final int MOST_NEWCOMERS = 8;

  /** Longest silence of a newcomer. */
  static final long PATIENCE_NS = 2_000_000_000L;

  /** Entries of a {@link PollSet} that {@link #watch} needs. */
  static final int WATCHED = 1 + MOST_ATTACHED + MOST_NEWCOMERS;

  private static final System.Logger LOG = System.getLogger(AttachLoop.class.getName());

  private final Sockets sockets = new Sockets();
  private final DescriptorMessage request = new DescriptorMessage(AttachLayout.Request.SIZE, 1);
  private final DescriptorMessage reply =
      new DescriptorMessage(AttachMessages.MOST_REPLY, AttachMessages.MOST_DESCRIPTORS);
  private final List<AttachClient> clients = new ArrayList<>();
  private final AttachDoor door;
  private final Attachments owner;
  private final AttachEvents events;

  /**
   * @param listener stays the caller's
   */
  AttachLoop(int listener, Attachments owner, AttachEvents events) {
    door = new AttachDoor(sockets, listener);
    this.owner = owner;
    this.events = events;
  }

  /** Takes connections and messages that have come, and ends what has ended or was too slow. */
  void cycle(long nowNs) {
    for (AttachClient client : List.copyOf(clients)) {
      if (client.isAttached()) {
        check(client);
      } else {
        meet(client, nowNs);
      }
    }
    door.accept(nowNs, socket -> welcome(socket, nowNs));
  }

  /** An attached process has nothing to say: what comes is its end. */
  private void check(AttachClient client) {
    int bytes = request.receive(client.socket);
    if (bytes == -Errno.EAGAIN) {
      return;
    }
    request.closeReceived();
    end(client, bytes <= 0 ? "the process has detached" : "the process has sent a second message");
  }

  private void meet(AttachClient client, long nowNs) {
    int bytes = request.receive(client.socket);
    if (bytes == -Errno.EAGAIN) {
      if (nowNs - client.acceptedNs >= PATIENCE_NS) {
        refuse(client, Errno.ETIMEDOUT, "no request came within 2 seconds");
      }
      return;
    }
    if (bytes == 0 || bytes < 0 && bytes != -Errno.EMSGSIZE) {
      // who only looks whether somebody listens is no failure
      forget(client);
      return;
    }
    try {
      attach(client, bytes);
    } catch (NetException e) {
      refuse(client, e.code(), e.getMessage());
    } catch (RuntimeException e) {
      LOG.log(
          System.Logger.Level.ERROR,
          "A process could not attach because of a defect of the platform",
          e);
      refuse(client, Errno.EIO, "the net could not make links; its log has the reason");
    }
  }

  private void attach(AttachClient client, int bytes) {
    boolean passed = request.count() > 0;
    request.closeReceived();
    if (bytes < 0 || passed) {
      throw new NetException(
          Errno.EINVAL,
          "the request has more than " + AttachLayout.Request.SIZE + " bytes, or a descriptor");
    }
    String app = AttachMessages.app(request.data(), bytes);
    client.app = app;
    OptionalInt user = owner.user(app);
    if (user.isEmpty()) {
      throw new NetException(
          Errno.ENOENT, "the net has no app " + app + " for processes; see net:apps");
    }
    if (user.getAsInt() != client.peer.uid()) {
      throw new NetException(
          Errno.EACCES,
          "app "
              + app
              + " is for processes of user "
              + Integer.toUnsignedString(user.getAsInt())
              + ", not of user "
              + Integer.toUnsignedString(client.peer.uid()));
    }
    if (attached() >= MOST_ATTACHED) {
      throw new NetException(
          Errno.ENOSPC, MOST_ATTACHED + " processes are attached, the most that are possible");
    }
    client.attachment = owner.attach(app, client.peer);
    int size = AttachMessages.grant(reply.data(), client.attachment);
    int sent = reply.send(client.socket, size, AttachMessages.descriptors(client.attachment));
    if (sent < 0) {
      end(client, "the answer did not arrive: " + SocketErrors.text(sent));
      return;
    }
    events.attached(app, client.peer, client.attachment);
  }

  private int attached() {
    int count = 0;
    for (AttachClient client : clients) {
      count += client.isAttached() ? 1 : 0;
    }
    return count;
  }

  private void refuse(AttachClient client, int code, String reason) {
    int size = AttachMessages.refuse(reply.data(), code, reason);
    int sent = reply.send(client.socket, size);
    LOG.log(System.Logger.Level.DEBUG, "A refusal of {0} bytes was sent: {1}", size, sent);
    events.refused(client.app, client.peer, code, reason);
    forget(client);
  }

  private void end(AttachClient client, String reason) {
    Attachment ended = client.attachment;
    client.attachment = null;
    forget(client);
    try {
      owner.detach(ended);
    } catch (RuntimeException e) {
      LOG.log(
          System.Logger.Level.ERROR,
          "The links of app " + client.app + " could not be taken back",
          e);
    }
    events.detached(client.app, client.peer, reason);
  }

  private void forget(AttachClient client) {
    clients.remove(client);
    sockets.close(client.socket);
  }

  private void welcome(int socket, long nowNs) {
    PeerCredentials peer;
    try {
      peer = PeerCredentials.of(socket);
    } catch (PosixException e) {
      LOG.log(System.Logger.Level.DEBUG, "A process has left", e);
      sockets.close(socket);
      return;
    }
    AttachClient client = new AttachClient(socket, peer, nowNs);
    boolean room = clients.size() - attached() < MOST_NEWCOMERS;
    clients.add(client);
    if (room) {
      // most have asked by now
      meet(client, nowNs);
    } else {
      refuse(client, Errno.EAGAIN, MOST_NEWCOMERS + " processes connect at once; try again");
    }
  }

  /** Ends all attachments of an app. */
  void end(String app) {
    for (AttachClient client : List.copyOf(clients)) {
      if (client.isAttached() && client.app.equals(app)) {
        end(client, "the net has ended the app");
      }
    }
  }

  /**
   * Sets the entries to wait for.
   *
   * @param set has {@link #WATCHED} entries from {@code first} on
   * @return number of entries
   */
  int watch(PollSet set, int first) {
    int at = first;
    set.set(at++, door.watched(), PollSet.POLLIN);
    for (AttachClient client : clients) {
      set.set(at++, client.socket, PollSet.POLLIN | PollSet.POLLRDHUP);
    }
    return at - first;
  }

  /** When the next cycle is due although nothing comes; {@link Long#MAX_VALUE} for never. */
  long deadlineNs() {
    long deadline = door.deadlineNs();
    for (AttachClient client : clients) {
      if (!client.isAttached()) {
        deadline = Math.min(deadline, client.acceptedNs + PATIENCE_NS);
      }
    }
    return deadline;
  }

  /** Ends all connections. */
  void close() {
    Iterator<AttachClient> all = List.copyOf(clients).iterator();
    while (all.hasNext()) {
      AttachClient client = all.next();
      if (client.isAttached()) {
        end(client, "the net has ended");
      } else {
        forget(client);
      }
    }
  }
}
