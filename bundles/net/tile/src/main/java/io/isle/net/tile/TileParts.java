package io.isle.net.tile;

import io.isle.api.net.tile.TileMemory;
import io.isle.lib.tile.Ledger;
import io.isle.lib.tile.TileState;

/** Views of the memory of a tile. */
record TileParts(
    TileMemory memory,
    Frames frames,
    Ledger ledger,
    TileState state,
    Port[] ports,
    RxLinks rxLinks) {

  static TileParts of(TileMemory memory) {
    TileState state = new TileState(memory.state());
    Port[] ports = new Port[memory.ports().size()];
    for (int i = 0; i < ports.length; i++) {
      ports[i] = new Port(i, memory.ports().get(i), state);
    }
    return new TileParts(
        memory,
        new Frames(memory.frames(), memory.frameBytes()),
        new Ledger(memory.ledger(), memory.frames()),
        state,
        ports,
        new RxLinks(memory.rxLinks()));
  }
}
