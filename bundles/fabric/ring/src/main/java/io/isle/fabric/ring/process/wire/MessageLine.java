package io.isle.fabric.ring.process.wire;

import io.isle.api.base.Errno;
import io.isle.lib.ffi.DescriptorMessage;
import io.isle.lib.ffi.EventDescriptor;
import io.isle.lib.ffi.PollSet;
import io.isle.lib.ffi.SocketErrors;
import io.isle.lib.ffi.UnixConnection;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * One end of the socket between the platform and the process of a node. Any thread sends; one
 * thread receives, and closes.
 *
 * @param <S> records that this end sends
 * @param <R> records that this end receives
 */
public final class MessageLine<S, R> implements AutoCloseable {
  /** Bytes of the longest message. */
  public static final int MOST_BYTES = 65_536;

  private final UnixConnection connection;
  private final Class<S> sent;
  private final Class<R> received;
  private final boolean foreign;
  private final DescriptorMessage out = new DescriptorMessage(MOST_BYTES, 1);
  private final DescriptorMessage in = new DescriptorMessage(MOST_BYTES, 1);
  private final EventDescriptor wake = new EventDescriptor();
  private final PollSet events = new PollSet(2);
  private boolean closed;

  private MessageLine(
      UnixConnection connection, Class<S> sent, Class<R> received, boolean foreign) {
    this.connection = connection;
    this.sent = sent;
    this.received = received;
    this.foreign = foreign;
    events.set(0, connection.descriptor(), PollSet.POLLIN);
    events.set(1, wake.descriptor(), PollSet.POLLIN);
  }

  /** The platform's end; the other end is not trusted. Owns the connection. */
  public static MessageLine<Order, Answer> platform(UnixConnection connection) {
    return new MessageLine<>(connection, Order.class, Answer.class, true);
  }

  /** The node's end. Owns the connection. */
  public static MessageLine<Answer, Order> node(UnixConnection connection) {
    return new MessageLine<>(connection, Answer.class, Order.class, false);
  }

  /**
   * Sends a message; never waits.
   *
   * @return 0; -EAGAIN if the other end has not read earlier messages; -EPIPE and others without
   *     another end
   * @throws IllegalArgumentException for a message that is too long
   */
  public synchronized int send(S message) {
    if (closed) {
      return -SocketErrors.EPIPE;
    }
    ByteBuffer bytes = out.data().asByteBuffer();
    new RecordWriter(bytes).message(sent, message);
    return Math.min(0, out.send(connection.descriptor(), bytes.position()));
  }

  /**
   * Waits for something to read, for a {@link #wake}, or for the end of the time.
   *
   * @param timeoutNs 0 or more
   */
  public void await(long timeoutNs) {
    int ignored = events.await(2, timeoutNs);
    wake.drain();
  }

  /**
   * Takes the next message; never waits.
   *
   * @return empty without a message
   * @throws MalformedException for a message that is not of the protocol
   * @throws EndedException without another end
   */
  public Optional<R> receive() throws MalformedException, EndedException {
    int got = in.receive(connection.descriptor());
    if (got == -Errno.EAGAIN) {
      return Optional.empty();
    }
    if (got == -Errno.EMSGSIZE || in.count() > 0) {
      in.closeReceived();
      throw new MalformedException("too many bytes or descriptors");
    }
    if (got <= 0) {
      throw new EndedException();
    }
    ByteBuffer bytes = in.data().asSlice(0, got).asByteBuffer();
    return Optional.of(new RecordReader(bytes, foreign).message(received));
  }

  /** Ends a wait. Any thread. */
  public void wake() {
    wake.signal();
  }

  /** Disconnects. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      connection.close();
      wake.close();
    }
  }
}
