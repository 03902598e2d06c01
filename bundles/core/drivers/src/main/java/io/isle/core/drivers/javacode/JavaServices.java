package io.isle.core.drivers.javacode;

import io.isle.api.base.Errno;
import io.isle.api.base.MonotonicClock;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.DevicePort;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.DriverLog;
import io.isle.api.driver.DriverServices;
import io.isle.lib.ffi.MappedArena;
import io.isle.lib.ffi.PosixException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** What a Java driver gets for one device. */
final class JavaServices implements DriverServices, AutoCloseable {
  private static final long MAX_ALIGNMENT = 1L << 30;

  private final JavaLog log;
  private final DevicePort.Attachment attachment;
  private final Consumer<String> lost;
  private final AtomicBoolean gone = new AtomicBoolean();
  private final Map<Long, Block> blocks = new HashMap<>();

  /** Given back, and in use by a system call. Guarded by this. */
  private final List<MappedArena> leftovers = new ArrayList<>();

  /** Memory by its address. */
  private record Block(long context, MappedArena arena) {}

  JavaServices(String device, DevicePort.Attachment attachment, Consumer<String> lost) {
    this.log = new JavaLog(device);
    this.attachment = attachment;
    this.lost = lost;
  }

  @Override
  public CompletionSink completions() {
    return attachment.completions();
  }

  @Override
  public MonotonicClock clock() {
    return MonotonicClock.SYSTEM;
  }

  @Override
  public synchronized MemorySegment allocShared(long context, long size, long alignment) {
    if (size < 1) {
      throw new DriverException(Errno.EINVAL, "size: " + size + " is below 1");
    }
    if (Long.bitCount(alignment) != 1 || alignment < 1 || alignment > MAX_ALIGNMENT) {
      throw new DriverException(
          Errno.EINVAL,
          "alignment: " + alignment + " is not a power of two up to " + MAX_ALIGNMENT);
    }
    MappedArena arena = new MappedArena();
    try {
      MemorySegment memory = arena.allocate(size, alignment);
      blocks.put(memory.address(), new Block(context, arena));
      return memory;
    } catch (PosixException e) {
      arena.close();
      throw new DriverException(Errno.ENOMEM, "no host memory for " + size + " bytes", e);
    }
  }

  @Override
  public synchronized void freeShared(MemorySegment memory) {
    Block block = blocks.remove(memory.address());
    if (block == null) {
      throw new DriverException(Errno.ENOENT, "no such shared memory");
    }
    close(block);
  }

  synchronized void freeAll(long context) {
    blocks
        .values()
        .removeIf(
            block -> {
              if (block.context != context) {
                return false;
              }
              close(block);
              return true;
            });
  }

  /** One that a system call uses is tried again with the next. */
  private void close(Block block) {
    leftovers.add(block.arena);
    leftovers.removeIf(MappedArena::tryClose);
  }

  @Override
  public void log(System.Logger.Level level, String text) {
    log.log(level, text, clock().nanoTime());
  }

  /** What was logged last. */
  DriverLog log() {
    return log;
  }

  /** The newest error that was logged since the opening began. */
  Optional<String> lastError() {
    return log.lastError();
  }

  @Override
  public void lost(String why) {
    if (gone.compareAndSet(false, true)) {
      lost.accept(why);
    }
  }

  @Override
  public void started(long tag, long ns) {
    attachment.started(tag, ns);
  }

  boolean isLost() {
    return gone.get();
  }

  @Override
  public synchronized void close() {
    gone.set(true);
    blocks.values().forEach(block -> leftovers.add(block.arena));
    blocks.clear();
    for (MappedArena arena : leftovers) {
      try {
        arena.close();
      } catch (IllegalStateException e) {
        log(System.Logger.Level.WARNING, "memory of a context: " + e.getMessage());
      }
    }
    leftovers.clear();
  }
}
