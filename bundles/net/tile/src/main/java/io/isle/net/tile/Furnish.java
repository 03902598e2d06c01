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
    for (RxLink link : parts.rxLinks().all()) {
      link.settle();
      for (int line = 0; line < link.depth(); line++) {
        keep(link, line);
      }
    }
    for (int frame = 0; frame < inLine.length; frame++) {
      if (ledger.state(frame) == Ledger.LINK && !inLine[frame]) {
        ledger.state(frame, Ledger.FREE);
      }
    }
    FreeFrames free = new FreeFrames(ledger);
    for (RxLink link : parts.rxLinks().all()) {
      for (int line = 0; line < link.depth() && !free.isEmpty(); line++) {
        if (!link.hasFrame(line)) {
          give(link, line, free.pop());
        }
      }
    }
    for (Port port : parts.ports()) {
      fill(port, free);
    }
    return free;
  }

  private void keep(RxLink link, int line) {
    int frame = link.hasFrame(line) ? frames.at(link.address(line)) : -1;
    if (frame >= 0 && ledger.state(frame) == Ledger.LINK && !inLine[frame]) {
      inLine[frame] = true;
    } else if (link.hasFrame(line)) {
      // a line of other memory
      link.hide(line);
      link.clear(line);
    }
  }

  private void give(RxLink link, int line, int frame) {
    ledger.state(frame, Ledger.LINK);
    link.assign(line, frames.address(frame));
  }

  private void fill(Port port, FreeFrames free) {
    while (port.filled() - parts.state().received(port.number) < port.memory.rxFrames()
        && port.fill.free(port.fillPending() + 1) > port.fillPending()
        && !free.isEmpty()) {
      int frame = free.pop();
      port.stageFill(frames.address(frame));
      ledger.state(frame, Ledger.FILL);
    }
    port.publishFill();
  }
}
