package io.isle.net.xdp.attach;

import io.isle.lib.ffi.EventDescriptor;
import io.isle.lib.ffi.PollSet;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The socket file of a net, where processes attach as apps, with one thread for all of them. That
 * thread calls {@link Attachments} and {@link AttachEvents}. Thread-safe.
 */
public final class AttachServer implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(AttachServer.class.getName());

  private final AttachSocket socket;
  private final AttachLoop loop;
  private final EventDescriptor bell = new EventDescriptor();
  private final PollSet set = new PollSet(1 + AttachLoop.WATCHED);
  private final Queue<String> ended = new ConcurrentLinkedQueue<>();
  private final Thread thread;
  private volatile boolean closing;

  private AttachServer(String net, AttachSocket socket, AttachLoop loop) {
    this.socket = socket;
    this.loop = loop;
    this.thread = Thread.ofPlatform().daemon().name("isle-net-attach-" + net).unstarted(this::run);
  }

  /**
   * Listens.
   *
   * @param net its name, for the thread
   * @param path of the socket file, at most 107 bytes; the file of an ended process is replaced
   * @param mode of the file, such as 0660
   * @throws io.isle.api.net.NetException EINVAL, EBUSY if another process listens there, EEXIST for
   *     another kind of file, EACCES and others
   */
  public static AttachServer start(
      String net, Path path, int mode, Attachments owner, AttachEvents events) {
    AttachSocket socket = AttachSocket.listen(path, mode);
    AttachServer server =
        new AttachServer(net, socket, new AttachLoop(socket.descriptor(), owner, events));
    server.thread.start();
    return server;
  }

  private void run() {
    try {
      while (!closing) {
        serve();
      }
    } catch (RuntimeException | Error e) {
      LOG.log(
          System.Logger.Level.ERROR,
          "Processes can no longer attach because of a defect of the platform",
          e);
    } finally {
      loop.close();
    }
  }

  private void serve() {
    set.set(0, bell.descriptor(), PollSet.POLLIN);
    int count = 1 + loop.watch(set, 1);
    long deadline = loop.deadlineNs();
    long wait = deadline == Long.MAX_VALUE ? deadline : deadline - System.nanoTime();
    int happened = set.await(count, wait);
    if (happened < 0) {
      throw new IllegalStateException("ppoll: error " + -happened);
    }
    bell.drain();
    for (String app = ended.poll(); app != null; app = ended.poll()) {
      loop.end(app);
    }
    if (!closing) {
      loop.cycle(System.nanoTime());
    }
  }

  /** Ends all attachments of an app soon. */
  public void end(String app) {
    ended.add(app);
    bell.signal();
  }

  /**
   * Ends all attachments and removes the file. Waits for calls of {@link Attachments}, so the
   * caller holds no lock that those need.
   */
  @Override
  public void close() {
    closing = true;
    bell.signal();
    boolean interrupted = false;
    while (thread.isAlive() && thread != Thread.currentThread()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    socket.close();
    bell.close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
