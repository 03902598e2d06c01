package io.isle.fabric.shm;

import static io.isle.api.base.Errno.EAGAIN;
import static io.isle.api.base.Errno.ENOTCONN;
import static io.isle.api.base.Errno.EPROTO;

import io.isle.api.fabric.RingPort;
import io.isle.lib.ffi.SocketErrors;
import io.isle.lib.ffi.Sockets;
import io.isle.lib.leap.banks.BankLayout;
import io.isle.lib.leap.banks.BankReader;
import io.isle.lib.leap.banks.BankWriter;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Two segments and the socket by which they were exchanged, until the end of the path. The socket
 * has nothing to say after the exchange: its end is that of the neighbour. One thread at a time.
 */
final class ShmPath {
  static final int DESCRIPTORS = 1 + OwnBanks.DESCRIPTORS + ShmHello.DESCRIPTORS;

  /**
   * What goes on in a parked path.
   *
   * @param peer the neighbour in words
   * @param source number of this side in state lines
   * @param taken number of the last frame taken
   * @param published number of the last frame sent
   * @param spared index of the bank that a writer has, or {@link #NONE}
   */
  record Position(String peer, long source, long taken, long published, int spared) {}

  /** No bank. */
  static final int NONE = -1;

  /** Frames taken, while more are there, after which a neighbour that waits for banks is woken. */
  private static final int RING_EACH = 16;

  private final ShmKernel kernel;
  private final int socket;
  private final OwnBanks own;
  private final PeerBanks theirs;
  private final BankReader reader;
  private final BankWriter writer;
  private final String peer;
  private final long source;

  /**
   * Index of a bank whose writer had it before the path was parked, so that frames pass it by until
   * the end of the path: the end of the claim is not known here. Or {@link #NONE}.
   */
  private final int spared;

  private String end = "";

  /** Whether banks were freed since the last look at the neighbour's sleep. */
  private boolean freed;

  ShmPath(ShmKernel kernel, int socket, OwnBanks own, PeerBanks theirs, Position at) {
    this.kernel = kernel;
    this.socket = socket;
    this.own = own;
    this.theirs = theirs;
    this.peer = at.peer();
    this.source = at.source();
    this.spared = at.spared();
    reader = new BankReader(own.segment(), at.taken());
    writer = new BankWriter(theirs.segment(), source, at.published());
  }

  /**
   * Where another version goes on.
   *
   * @param held index of the bank that a writer has, or {@link #NONE}
   */
  Position position(int held) {
    return new Position(
        peer, source, reader.taken(), writer.number(), held == NONE ? spared : held);
  }

  String peer() {
    return peer;
  }

  /** The reason of the end in words; empty before. */
  String end() {
    return end;
  }

  /** Whether no frame passes any more, but for those that have arrived. */
  boolean ended() {
    return !end.isEmpty();
  }

  /** Whether the path has ended and has no frame left. */
  boolean finished() {
    return ended() && reader.poll() <= 0;
  }

  int claim() {
    return ended() ? -ENOTCONN : judge(writer.claim());
  }

  /** Index of the next frame's bank. */
  int bank() {
    return BankLayout.bank(writer.number() + 1);
  }

  /** Whether a writer has the next frame's bank since a time before the path was parked. */
  boolean isSpared() {
    return bank() == spared;
  }

  /** The memory of a bank. */
  MemorySegment memory(int bank) {
    return theirs.bank(bank);
  }

  /** Ends the access of all who have the memory of a bank. */
  void revoke() {
    theirs.revoke();
  }

  int publish(int length) {
    int code = ended() ? -ENOTCONN : judge(writer.publish(length));
    if (code != 0) {
      return code;
    }
    if (writer.bellDue()) {
      rung(theirs.ringForFrame());
    }
    return length;
  }

  /** Makes the bank of the next frame fast to write, which nobody may use. */
  void prepare(int length) {
    if (!ended()) {
      writer.prepare(length);
    }
  }

  int next() {
    int length = reader.length();
    if (length >= 0) {
      return length;
    }
    ringForBanks();
    return length == -EAGAIN && ended() ? -ENOTCONN : judge(length);
  }

  void copy(int from, MemorySegment into, long offset, int bytes) {
    reader.copy(from, into, offset, bytes);
  }

  int take() {
    int code = judge(reader.take());
    freed = true;
    if (reader.wasFull() || (reader.taken() & RING_EACH - 1) == 0) {
      ringForBanks();
    }
    return code;
  }

  /**
   * A look is a fence, which a frame does not wait for: behind a frame, only a neighbour that
   * filled all banks is looked at, and others later, as the last bank may be filled meanwhile.
   */
  private void ringForBanks() {
    if (!freed) {
      return;
    }
    freed = false;
    if (!ended() && reader.bellDue()) {
      rung(theirs.ringForBank());
    }
  }

  private int judge(int code) {
    if (code != -EPROTO) {
      return code;
    }
    end("wrote numbers into its segment that no frame can have");
    return -ENOTCONN;
  }

  private void rung(int code) {
    if (code != 0) {
      end(
          code == -SocketErrors.EPIPE || code == -SocketErrors.ECONNRESET
              ? "closed the connection or ended"
              : "passed a bell that cannot ring: " + SocketErrors.text(code));
    }
  }

  /** Finds an end that no call has met. */
  void watch() {
    if (ended()) {
      return;
    }
    ringForBanks();
    long got = kernel.io.receive(socket, kernel.scratch, 0, kernel.scratch.byteSize(), 0);
    if (got > 0) {
      end("sent bytes behind the exchange of segments");
    } else if (got != -EAGAIN) {
      end("closed the connection or ended");
    }
  }

  /** As of a port; the neighbour rings from now on. */
  void interests(RingPort.Interests events, int wanted) {
    ringForBanks();
    if ((wanted & RingPort.READABLE) != 0) {
      listen(own.frames());
      if (ended() || reader.lieDown() != 0) {
        own.frames().ring();
      }
      events.add(own.frames().receiver(), RingPort.READABLE);
    }
    if ((wanted & RingPort.WRITABLE) != 0) {
      listen(own.banks());
      if (ended() || writer.lieDown() != -EAGAIN) {
        own.banks().ring();
      }
      events.add(own.banks().receiver(), RingPort.READABLE);
    }
    if (!ended()) {
      events.add(socket, RingPort.READABLE);
    }
  }

  /**
   * Rings of before are not news. A ring for another thread that sleeps on the same bell is not
   * lost: if its reason is still there, the bell rings again.
   */
  private void listen(Bell bell) {
    if (!bell.drain()) {
      end("destroyed a bell of this side");
    }
  }

  /** The first reason stays. */
  private void end(String text) {
    if (!ended()) {
      end = peer + " " + text;
    }
  }

  List<Integer> descriptors() {
    List<Integer> all = new ArrayList<>(DESCRIPTORS);
    all.add(socket);
    all.addAll(own.descriptors());
    all.addAll(theirs.descriptors());
    return all;
  }

  /** Takes a parked path up. */
  static ShmPath resume(ShmKernel kernel, List<Integer> descriptors, Position at) {
    OwnBanks own = OwnBanks.of(kernel, descriptors.subList(1, 1 + OwnBanks.DESCRIPTORS));
    boolean done = false;
    try {
      PeerBanks theirs =
          new PeerBanks(kernel, descriptors.subList(1 + OwnBanks.DESCRIPTORS, descriptors.size()));
      done = true;
      return new ShmPath(kernel, descriptors.getFirst(), own, theirs, at);
    } finally {
      if (!done) {
        own.unmap();
      }
    }
  }

  /** Leaves the descriptors to a later version. The banks of the neighbour stay mapped. */
  void park() {
    own.unmap();
  }

  /** Ends the path, but for the memory of the neighbour's banks. Wakes threads that sleep. */
  void close() {
    int ignored = kernel.sockets.shutdown(socket, Sockets.SHUT_RDWR);
    kernel.close(socket);
    own.close();
    theirs.close();
  }

  /** After {@link #close} or {@link #park}: nobody has a bank any more. */
  void unmapBanks() {
    theirs.unmap();
  }
}
