package io.isle.core.drivers.nativecode.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class HeapsTest {
  private final Heaps heaps = new Heaps();

  /** A call of a tenant can come late: the context is not unknown, its device has gone. */
  @Test
  void afterTheEndThereIsNoDevice() {
    MemorySegment memory = heaps.create(1, 4096).memory();
    assertEquals(Errno.ENOENT, code(() -> heaps.of(2)));
    heaps.close();
    assertFalse(memory.scope().isAlive());
    assertEquals(Errno.ENODEV, code(() -> heaps.of(1)));
    assertEquals(Errno.ENODEV, code(() -> heaps.create(1, 4096)));
    heaps.close();
  }

  @Test
  void theNextContextHasTheSegmentOfTheLastButNotItsMemory() {
    Heaps.Heap first = heaps.create(1, 8192);
    assertTrue(first.isNew());
    MemorySegment old = first.memory();
    assertTrue(heaps.keep(1));
    assertFalse(old.scope().isAlive());
    assertEquals(Errno.ENOENT, code(() -> heaps.of(1)));
    Heaps.Heap next = heaps.create(2, 8192);
    assertFalse(next.isNew());
    assertEquals(first.segment(), next.segment());
    assertEquals(old.address(), next.memory().address());
    assertTrue(heaps.create(3, 8192).isNew());
    heaps.close();
    assertFalse(next.memory().scope().isAlive());
  }

  @Test
  void oneSegmentIsKept() {
    var ignored = heaps.create(1, 8192);
    ignored = heaps.create(2, 8192);
    assertTrue(heaps.keep(1));
    assertFalse(heaps.keep(2));
    heaps.remove(2);
    assertEquals(Errno.ENOENT, code(() -> heaps.of(2)));
    heaps.close();
    assertFalse(heaps.keep(1));
  }

  @Test
  void anIdleSegmentOfAnotherSizeGoes() {
    int first = heaps.create(1, 8192).segment();
    assertTrue(heaps.keep(1));
    assertEquals(OptionalInt.empty(), heaps.misfit(8192));
    assertEquals(OptionalInt.of(first), heaps.misfit(4096));
    heaps.removeIdle();
    assertEquals(OptionalInt.empty(), heaps.misfit(4096));
    assertTrue(heaps.create(2, 8192).isNew());
    heaps.close();
  }

  /** A write of a file from the memory, that has not returned. */
  @Test
  void memoryInUseIsNotPassedOn() throws IOException {
    MemorySegment memory = heaps.create(1, 1 << 20).memory();
    Pipe pipe = Pipe.open();
    CompletableFuture<Boolean> kept = new CompletableFuture<>();
    Thread writer = Thread.ofPlatform().start(() -> write(memory, pipe.sink()));
    try (ReadableByteChannel source = pipe.source()) {
      // the pipe is full: the write is in the middle
      ByteBuffer some = ByteBuffer.allocate(1);
      assertEquals(1, source.read(some));
      kept.complete(heaps.keep(1));
      heaps.remove(1);
      ByteBuffer rest = ByteBuffer.allocate(1 << 20);
      while (source.read(rest) > 0) {
        rest.clear();
      }
    } finally {
      join(writer);
    }
    assertFalse(kept.join());
    heaps.close();
    assertFalse(memory.scope().isAlive());
  }

  private static void write(MemorySegment memory, WritableByteChannel to) {
    try (to) {
      int ignored = to.write(memory.asByteBuffer());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static int code(Executable call) {
    return assertThrows(DriverException.class, call).code();
  }
}
