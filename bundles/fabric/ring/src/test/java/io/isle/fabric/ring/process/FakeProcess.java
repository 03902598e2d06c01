package io.isle.fabric.ring.process;

import io.isle.api.base.Errno;
import io.isle.fabric.ring.process.wire.Answer;
import io.isle.fabric.ring.process.wire.EndedException;
import io.isle.fabric.ring.process.wire.MalformedException;
import io.isle.fabric.ring.process.wire.MessageLine;
import io.isle.fabric.ring.process.wire.Order;
import io.isle.lib.ffi.DescriptorMessage;
import io.isle.lib.ffi.UnixConnection;
import io.isle.lib.ffi.UnixListener;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A process that a test plays: the node's end of the line is in its hands. */
final class FakeProcess extends Process {
  private static final int KILLED = 137;
  private static final long LOOK_NS = 1_000_000_000;

  private final long pid;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final UnixConnection ours;
  private final UnixConnection theirs;
  final MessageLine<Answer, Order> line;
  private volatile int code;

  FakeProcess(long pid) {
    this.pid = pid;
    String name = "isle-test-" + UUID.randomUUID();
    try (UnixListener listener = UnixListener.listen(name)) {
      theirs = UnixConnection.connect(name);
      ours = listener.accept(1000).orElseThrow();
    }
    line = MessageLine.node(theirs);
  }

  /** As its starter gives it away. */
  NodeChild child(String node) {
    return new NodeChild(this, MessageLine.platform(ours), new ChildLog(node));
  }

  /** The next order. */
  Order order() {
    try {
      while (true) {
        Optional<Order> order = line.receive();
        if (order.isPresent()) {
          return order.get();
        }
        line.await(LOOK_NS);
      }
    } catch (MalformedException | EndedException e) {
      throw new AssertionError(e);
    }
  }

  /** Sends an answer, once the platform has read enough of earlier ones. */
  void send(Answer answer) {
    int sent;
    do {
      sent = line.send(answer);
    } while (sent == -Errno.EAGAIN);
    if (sent != 0) {
      throw new AssertionError("the answer is not sent: " + sent);
    }
  }

  /** Sends bytes that may be no message, with descriptors. */
  void sendRaw(byte[] bytes, int... descriptors) {
    DescriptorMessage message = new DescriptorMessage(MessageLine.MOST_BYTES, 2);
    MemorySegment.copy(MemorySegment.ofArray(bytes), 0, message.data(), 0, bytes.length);
    int sent = message.send(theirs.descriptor(), bytes.length, descriptors);
    if (sent != bytes.length) {
      throw new AssertionError("the bytes are not sent: " + sent);
    }
  }

  /** Ends by itself. */
  void exit(int with) {
    synchronized (this) {
      if (ended.getCount() > 0) {
        code = with;
        ended.countDown();
        theirs.hangUp();
      }
    }
  }

  void awaitEnd() throws InterruptedException {
    ended.await();
  }

  @Override
  public long pid() {
    return pid;
  }

  @Override
  public OutputStream getOutputStream() {
    return OutputStream.nullOutputStream();
  }

  @Override
  public InputStream getInputStream() {
    return InputStream.nullInputStream();
  }

  @Override
  public InputStream getErrorStream() {
    return InputStream.nullInputStream();
  }

  @Override
  public int waitFor() throws InterruptedException {
    ended.await();
    return code;
  }

  @Override
  public boolean waitFor(long timeout, TimeUnit unit) throws InterruptedException {
    return ended.await(timeout, unit);
  }

  @Override
  public int exitValue() {
    if (isAlive()) {
      throw new IllegalThreadStateException();
    }
    return code;
  }

  @Override
  public boolean isAlive() {
    return ended.getCount() > 0;
  }

  @Override
  public void destroy() {
    exit(KILLED);
  }

  @Override
  public Process destroyForcibly() {
    exit(KILLED);
    return this;
  }
}
