package io.isle.apps.jobs.run;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** A regular file again and again, without a break between, as long as somebody says. */
final class LoopedInput implements PieceInput {
  private final Input input;
  private final BooleanSupplier goesOn;
  private final Arena arena = Arena.ofShared();
  private int left;
  private MemorySegment content;
  private long at;

  /**
   * @param goesOn asked before each piece
   * @param pieces most of them; -1 for any number
   */
  LoopedInput(Input input, BooleanSupplier goesOn, int pieces) {
    left = pieces;
    this.input = input;
    this.goesOn = goesOn;
  }

  @Override
  public void open() throws IOException, InterruptedException {
    input.open();
    Optional<MemorySegment> mapped = input.mapped(arena);
    if (mapped.isEmpty()) {
      throw new IOException("is empty or cannot be mapped; a step with 'for' goes over it");
    }
    content = mapped.get();
  }

  @Override
  public String name() {
    return input.name();
  }

  @Override
  public int fill(ByteBuffer buffer) {
    int start = buffer.position();
    if (left == 0 || !goesOn.getAsBoolean()) {
      return 0;
    }
    left--;
    while (buffer.hasRemaining()) {
      long length = Math.min(buffer.remaining(), content.byteSize() - at);
      buffer.put(content.asSlice(at, length).asByteBuffer());
      at = (at + length) % content.byteSize();
    }
    return buffer.position() - start;
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
