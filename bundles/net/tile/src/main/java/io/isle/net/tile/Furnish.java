package io.isle.net.tile;

import io.isle.lib.tile.Ledger;

/**
 * Gives each line of the RX links a frame, and FILL as many frames as the port has. Frames that no
 * line refers to any more become free. Each step may be the last one: a further run goes on.
 */
final class Furnish {
  private final TileParts parts;
  private final Frames frames;
  private final Ledger ledger;
  private final boolean[] inLine;

  Furnish(TileParts parts) {
    this.parts = parts;
    frames = parts.frames();
    ledger = parts.ledger();
    inLine = new boolean[frames.count()];
  }

  /** Returns the frames that are left. */
  FreeFrames run() {
    RxLink[] links = parts.rxLinks().all();
    byte[] states = ledger.states();
    long[][] places = new long[links.length][];
    for (int i = 0; i < links.length; i++) {
      links[i].settle();
      places[i] = links[i].places();
      keep(links[i], places[i], states);
    }
    int[] linked = new int[frames.count()];
    int count = ledger.list(Ledger.LINK, linked);
    for (int i = 0; i < count; i++) {
      if (!inLine[linked[i]]) {
        ledger.state(linked[i], Ledger.FREE);
      }
    }
    FreeFrames free = new FreeFrames(ledger);
    for (int i = 0; i < links.length; i++) {
      for (int line = 0; line < places[i].length && !free.isEmpty(); line++) {
        if (!RxLink.isFrame(places[i][line])) {
          give(links[i], line, free.pop());
        }
      }
    }
    for (Port port : parts.ports()) {
      fill(port, free);
    }
    return free;
  }

  private void keep(RxLink link, long[] places, byte[] states) {
    for (int line = 0; line < places.length; line++) {
      if (!RxLink.isFrame(places[line])) {
        continue;
      }
      int frame = frames.at(RxLink.address(places[line]));
      if (frame >= 0 && !inLine[frame] && states[frame] == Ledger.LINK) {
        inLine[frame] = true;
      } else {
        // a line of other memory
        link.hide(line);
        link.clear(line);
        places[line] = RxLink.FRESH;
      }
    }
  }

  private void give(RxLink link, int line, int frame) {
    ledger.state(frame, Ledger.LINK);
    link.assign(line, frames.address(frame));
  }

  private void fill(Port port, FreeFrames free) {
    long enough = parts.state().received(port.number) + port.memory.rxFrames();
    while (port.filled() < enough
        && port.fill.free(port.fillPending() + 1) > port.fillPending()
        && !free.isEmpty()) {
      int frame = free.pop();
      port.stageFill(frames.address(frame));
      ledger.state(frame, Ledger.FILL);
    }
    port.publishFill();
  }
}
