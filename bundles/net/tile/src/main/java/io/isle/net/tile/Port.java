package io.isle.net.tile;

import io.isle.api.net.tile.PortMemory;
import io.isle.api.net.tile.RingMemory;
import io.isle.lib.tile.KernelRing;
import io.isle.lib.tile.RingLayout;
import io.isle.lib.tile.TileState;

/**
 * The rings of a socket, with entries that are written but not yet handed over. How far they are
 * written is in the tile's state, so that a successor finds them.
 */
final class Port {
  final int number;
  final PortMemory memory;
  final KernelRing fill;
  final KernelRing rx;
  final KernelRing tx;
  final KernelRing completion;
  private final TileState state;
  private final long filledAt;
  private final long sentAt;
  private int fillPending;
  private int txPending;
  private final long seenAt;
  private final long passedAt;
  private long filled;
  private long sent;
  private long seen;
  private long passed;

  Port(int number, PortMemory memory, TileState state) {
    this.number = number;
    this.memory = memory;
    this.state = state;
    filledAt = TileState.port(number, TileState.FILLED);
    sentAt = TileState.port(number, TileState.SENT);
    seenAt = TileState.port(number, TileState.SEEN);
    passedAt = TileState.port(number, TileState.RX_PASSED);
    fill = ring(memory.fill(), RingLayout.ADDRESS_BYTES);
    rx = ring(memory.rx(), RingLayout.DESCRIPTOR_BYTES);
    tx = ring(memory.tx(), RingLayout.DESCRIPTOR_BYTES);
    completion = ring(memory.completion(), RingLayout.ADDRESS_BYTES);
    load();
  }

  private static KernelRing ring(RingMemory ring, int entryBytes) {
    return new KernelRing(
        ring.memory(),
        new RingLayout(
            ring.producer(),
            ring.consumer(),
            ring.flags(),
            ring.entries(),
            ring.size(),
            entryBytes));
  }

  /** Reads the positions again, which a repair may have changed. */
  void load() {
    filled = state.get(filledAt);
    sent = state.get(sentAt);
    seen = state.get(seenAt);
    passed = state.get(passedAt);
    fillPending = (int) filled - fill.producerIndex();
    txPending = (int) sent - tx.producerIndex();
  }

  /** Entries of FILL that are written and not handed over. */
  int fillPending() {
    return fillPending;
  }

  /** Entries of TX that are written and not handed over. */
  int txPending() {
    return txPending;
  }

  /** Frames ever written to FILL. */
  long filled() {
    return filled;
  }

  /** Writes an entry of FILL; the ledger follows. */
  void stageFill(long address) {
    fill.address(fillPending++, address);
    state.set(filledAt, ++filled);
  }

  /** Writes an entry of TX; counter and ledger follow. */
  void stageTx(long address, int length) {
    tx.descriptor(txPending++, address, length);
    state.set(sentAt, ++sent);
  }

  /** Counts a received frame that an app's link got. */
  void countPassed() {
    state.set(passedAt, ++passed);
  }

  /** Counts a received frame that no app got. */
  void countDropped(int reason) {
    state.add(TileState.port(number, TileState.RX_DROPS + reason), 1);
  }

  /** Counts a dropped frame whose checksum a local sender left unfinished. */
  void countUnfinished() {
    state.add(TileState.port(number, TileState.UNFINISHED), 1);
  }

  /** Goes past the received frame, which is counted. */
  void advance() {
    state.set(seenAt, ++seen);
  }

  /** Hands over what is written to FILL. */
  void publishFill() {
    if (fillPending > 0) {
      fill.publish(fillPending);
      fillPending = 0;
    }
  }

  /** Hands over what is written to TX. */
  void publishTx() {
    if (txPending > 0) {
      tx.publish(txPending);
      txPending = 0;
    }
  }

  /** Whether one frame more may be on its way out. */
  boolean hasRoom() {
    return inFlight() < memory.txFrames();
  }

  /** Frames in TX, in the kernel and in COMPLETION. */
  int inFlight() {
    return (int) sent - completion.consumerIndex();
  }
}
