package io.isle.net.tile;

import static io.isle.lib.tile.TileState.link;
import static io.isle.lib.tile.TileState.port;

import io.isle.lib.tile.Ledger;
import io.isle.lib.tile.TileState;

/**
 * Finishes or takes back the one frame that a tile may have left halfway. The counters tell which:
 * a frame is counted behind all other stores for it but the last position. What is taken back is
 * done again by the next cycle. Each step may be the last one: a further repair goes on.
 */
final class Repair {
  private final Frames frames;
  private final Ledger ledger;
  private final TileState state;
  private final Port[] ports;
  private final RxLink[] links;

  Repair(TileParts parts) {
    frames = parts.frames();
    ledger = parts.ledger();
    state = parts.state();
    ports = parts.ports();
    links = parts.rxLinks().all();
  }

  void run() {
    for (Port port : ports) {
      received(port);
      port.load();
    }
    sent();
    for (Port port : ports) {
      port.load();
      handOver(port);
      completed(port);
    }
  }

  /** The received frame behind the last finished one. */
  private void received(Port port) {
    long seenAt = port(port.number, TileState.SEEN);
    long seen = state.get(seenAt);
    long counted = state.received(port.number);
    if (counted != seen) {
      state.set(seenAt, counted);
      return;
    }
    int entry = (int) seen - port.rx.consumerIndex();
    if (entry >= port.rx.available(entry + 1)) {
      return;
    }
    int frame = frames.at(port.rx.address(entry));
    if (frame < 0) {
      return;
    }
    switch (ledger.state(frame)) {
      case Ledger.LINK -> count(port);
      case Ledger.RX -> inHand(port, frame);
      case Ledger.FILL -> {
        if (lastFilled(port) == frame) {
          unstage(port);
        }
      }
      default -> {
        // no frame that the tile has begun with
      }
    }
  }

  /** A frame that the tile was looking at. */
  private void inHand(Port port, int frame) {
    int staged = lastFilled(port);
    for (RxLink link : links) {
      for (int line = 0; line < link.depth(); line++) {
        if (!link.hasFrame(line) || frames.at(link.address(line)) != frame) {
          continue;
        }
        if (link.isPublished(line)) {
          ledger.state(frame, Ledger.LINK);
          count(port);
          return;
        }
        link.assign(line, frames.address(staged));
      }
    }
    if (staged == frame) {
      unstage(port);
    } else if (staged >= 0 && isInALine(staged)) {
      ledger.state(staged, Ledger.LINK);
      unstage(port);
    }
    ledger.state(frame, Ledger.FILL);
  }

  private void count(Port port) {
    state.add(port(port.number, TileState.RX_PASSED), 1);
    state.add(port(port.number, TileState.SEEN), 1);
  }

  /** The frame of the last entry of FILL that the kernel has not got; -1 without one. */
  private int lastFilled(Port port) {
    int pending = port.fillPending();
    return pending > 0 ? frames.at(port.fill.written(pending - 1)) : -1;
  }

  private void unstage(Port port) {
    state.add(port(port.number, TileState.FILLED), -1);
  }

  private boolean isInALine(int frame) {
    for (RxLink link : links) {
      for (int line = 0; line < link.depth(); line++) {
        if (link.hasFrame(line) && frames.at(link.address(line)) == frame) {
          return true;
        }
      }
    }
    return false;
  }

  /** The frame to send behind the last finished one. */
  private void sent() {
    for (Port port : ports) {
      int pending = port.txPending();
      int frame = pending > 0 ? frames.at(port.tx.written(pending - 1)) : -1;
      if (frame >= 0 && ledger.state(frame) == Ledger.FREE) {
        if (isCounted()) {
          ledger.state(frame, Ledger.TX);
        } else {
          state.add(port(port.number, TileState.SENT), -1);
        }
      }
    }
    for (int slot = 0; slot < TileState.TX_LINKS; slot++) {
      if (state.get(link(slot, TileState.NEXT)) != counted(slot)) {
        state.set(link(slot, TileState.NEXT), counted(slot));
      }
    }
  }

  /** Whether a link has counted the frame that it has not gone past. */
  private boolean isCounted() {
    for (int slot = 0; slot < TileState.TX_LINKS; slot++) {
      if (state.get(link(slot, TileState.NEXT)) != counted(slot)) {
        return true;
      }
    }
    return false;
  }

  private long counted(int slot) {
    return state.get(link(slot, TileState.START)) + state.taken(slot);
  }

  /** Gives the kernel what is finished, and takes back what the tile has finished with. */
  private void handOver(Port port) {
    for (int entry = 0; entry < port.fillPending(); entry++) {
      int frame = frames.at(port.fill.written(entry));
      // given by an opening that ended before its ledger
      if (frame >= 0 && ledger.state(frame) == Ledger.FREE) {
        ledger.state(frame, Ledger.FILL);
      }
    }
    int finished = (int) state.get(port(port.number, TileState.SEEN)) - port.rx.consumerIndex();
    if (finished > 0) {
      port.rx.release(finished);
    }
    port.publishFill();
    port.publishTx();
  }

  /** Takes sent frames back, of which some may have been taken back already. */
  private void completed(Port port) {
    int count = port.completion.available(port.completion.size());
    for (int i = 0; i < count; i++) {
      int frame = frames.at(port.completion.address(i));
      if (frame >= 0 && ledger.state(frame) == Ledger.TX) {
        ledger.state(frame, Ledger.FREE);
      }
    }
    if (count > 0) {
      port.completion.release(count);
    }
  }
}
