package io.isle.tck;

import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.Allocation;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.DriverServices;
import io.isle.lib.kabi.CommandEnvelope;
import io.isle.lib.kabi.CommandEnvelope.Binding;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What a mutant can know of a device: all that went through its interface. */
final class World {
  /** Memory and who has it. */
  record Piece(long context, long size, MemorySegment cpu) {}

  /** In place of the name of a program of several files. */
  static final String FILES = "files";

  final DriverServices core;

  /** As it is without the mutant; null where it is none in software. */
  final AccelDevice device;

  final Map<Long, Piece> memory = new ConcurrentHashMap<>();
  final Set<Long> freed = ConcurrentHashMap.newKeySet();
  final Set<Long> contexts = ConcurrentHashMap.newKeySet();
  final Map<Long, Long> programOwners = new ConcurrentHashMap<>();
  final Map<Long, String> programNames = new ConcurrentHashMap<>();
  final Map<Long, Sent> sent = new ConcurrentHashMap<>();

  World(DriverServices core) {
    this(core, null);
  }

  World(DriverServices core, AccelDevice device) {
    this.core = core;
    this.device = device;
  }

  /** Ends a submission as if all were well. */
  int succeed(long tag) {
    return end(tag, CompletionSink.SUCCESS);
  }

  int end(long tag, int status) {
    long now = core.clock().nanoTime();
    int ignored = core.completions().complete(tag, status, now, now, 0, 0);
    return 0;
  }

  /** Follows a call that went well. */
  void saw(String what, Object[] args, Object result) {
    switch (what) {
      case "AccelDevice.createContext" -> contexts.add((Long) args[0]);
      case "AccelDevice.destroyContext" -> contexts.remove((Long) args[0]);
      case "AccelDevice.allocate" -> {
        Allocation made = (Allocation) result;
        memory.put(
            (Long) args[1],
            new Piece((Long) args[0], made.size(), made.cpu().orElse(MemorySegment.NULL)));
      }
      case "AccelDevice.free" -> freed.add((Long) args[0]);
      case "Programs.load" -> {
        programOwners.put((Long) args[1], (Long) args[0]);
        programNames.put((Long) args[1], new String((byte[]) args[3], StandardCharsets.UTF_8));
      }
      case "ProgramSources.load" -> {
        programOwners.put((Long) args[1], (Long) args[0]);
        programNames.put((Long) args[1], FILES);
      }
      default -> {}
    }
  }

  /** An envelope as it was submitted; all zero where it cannot be read. */
  record Sent(long context, long offset, int length, long segment, MemorySegment bytes) {
    static Sent of(Object[] args) {
      MemorySegment commands = (MemorySegment) args[2];
      long offset = (Long) args[3];
      int length = (Integer) args[4];
      MemorySegment copy = Arena.ofAuto().allocate(Math.max(256, length), 8);
      if (offset >= 0 && length > 0 && offset <= commands.byteSize() - length) {
        copy.asSlice(0, length).copyFrom(commands.asSlice(offset, length));
      }
      return new Sent((Long) args[0], offset, length, commands.byteSize(), copy);
    }

    boolean isPlaced() {
      return length >= CommandEnvelope.HEADER_BYTES && offset >= 0 && offset <= segment - length;
    }

    int word(long at) {
      return at >= 0 && at + 4 <= bytes.byteSize() ? bytes.get(CommandEnvelope.U32, at) : 0;
    }

    long wide(long at) {
      return at >= 0 && at + 8 <= bytes.byteSize() ? bytes.get(CommandEnvelope.U64, at) : 0;
    }

    int waits() {
      return word(CommandEnvelope.WAIT_COUNT);
    }

    int bindings() {
      return word(CommandEnvelope.BINDING_COUNT);
    }

    int ops() {
      return word(CommandEnvelope.OP_COUNT);
    }

    boolean hasGoodHeader() {
      return isPlaced()
          && word(CommandEnvelope.MAGIC) == CommandEnvelope.MAGIC_VALUE
          && word(CommandEnvelope.VERSION) == (1 | 64 << 16)
          && word(CommandEnvelope.TOTAL_LENGTH) == length;
    }

    boolean hasGoodCounts() {
      return hasGoodHeader()
          && waits() >= 0
          && waits() <= 8
          && bindings() >= 0
          && bindings() <= 8
          && ops() >= 0
          && CommandEnvelope.ops(waits(), bindings()) + 8L * ops() <= length;
    }

    /** The good envelope of the envelope cases, whatever is wrong with its binding or operation. */
    boolean isOneFill() {
      return hasGoodCounts()
          && length == 128
          && bindings() == 1
          && ops() == 1
          && word(binding(0, Binding.ACCESS)) != Binding.PROGRAM;
    }

    long binding(int index, long field) {
      return CommandEnvelope.bindings(waits()) + (long) index * Binding.BYTES + field;
    }

    long op(long field) {
      return CommandEnvelope.ops(waits(), bindings()) + field;
    }

    int code() {
      return hasGoodCounts() && ops() > 0 ? word(op(0)) & 0xffff : -1;
    }

    Set<Long> objects() {
      Set<Long> objects = new HashSet<>();
      for (int i = 0; hasGoodCounts() && i < bindings(); i++) {
        objects.add(wide(binding(i, Binding.OBJECT)));
      }
      return objects;
    }
  }
}
