package io.isle.net.tile;

import io.isle.lib.tile.Ledger;

/** The frames that the ledger calls free, last freed first. One thread. */
final class FreeFrames {
  private final int[] stack;
  private int size;

  FreeFrames(Ledger ledger) {
    stack = new int[ledger.frames()];
    size = ledger.list(Ledger.FREE, stack);
  }

  boolean isEmpty() {
    return size == 0;
  }

  int size() {
    return size;
  }

  void push(int frame) {
    stack[size++] = frame;
  }

  int pop() {
    return stack[--size];
  }
}
