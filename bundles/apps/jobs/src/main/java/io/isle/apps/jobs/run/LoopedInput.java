package io.isle.apps.jobs.run;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;

/** A regular file again and again, without a break between, as long as somebody says. */
final class LoopedInput implements PieceInput {
  private final PieceInput input;
  private final BooleanSupplier goesOn;
  private final Arena arena = Arena.ofShared();
  private int left;
  private FileWindows windows;

  /** All of a small file, which a piece may go through often; null for a large one. */
  private MemorySegment small;

  private long at;

  /**
   * @param goesOn asked before each piece
   * @param pieces most of them; -1 for any number
   */
  LoopedInput(PieceInput input, BooleanSupplier goesOn, int pieces) {
    left = pieces;
    this.input = input;
    this.goesOn = goesOn;
  }

  @Override
  public void open() throws IOException, InterruptedException {
    input.open();
    windows =
        input
            .windows()
            .orElseThrow(
                () ->
                    new IOException(
                        "is empty or cannot be mapped; a step with 'for' needs a regular file"
                            + " with contents"));
    if (windows.bytes() <= FileWindows.WINDOW) {
      small = windows.map(0, windows.bytes(), arena);
    }
  }

  @Override
  public String name() {
    return input.name();
  }

  @Override
  public int fill(ByteBuffer buffer) throws IOException {
    int start = buffer.position();
    if (left == 0 || !goesOn.getAsBoolean()) {
      return 0;
    }
    left--;
    while (buffer.hasRemaining()) {
      long length = Math.min(buffer.remaining(), windows.bytes() - at);
      copy(length, buffer);
      at = (at + length) % windows.bytes();
    }
    return buffer.position() - start;
  }

  private void copy(long length, ByteBuffer to) throws IOException {
    if (small != null) {
      to.put(small.asSlice(at, length).asByteBuffer());
      return;
    }
    try {
      windows.each(at, length, (window, _) -> to.put(window.asByteBuffer()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(e.getMessage());
    }
  }

  @Override
  public void checkUnchanged() throws IOException {
    input.checkUnchanged();
  }

  @Override
  public void close() throws IOException {
    arena.close();
    input.close();
  }
}
