package io.isle.fabric.shm;

import io.isle.api.base.Errno;
import io.isle.lib.ffi.MemoryFile;
import io.isle.lib.ffi.MemoryView;
import io.isle.lib.ffi.PosixException;
import io.isle.lib.ffi.SocketErrors;
import io.isle.lib.leap.banks.BankLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/** The segment that the neighbour receives by, with the bells of the neighbour. */
final class PeerBanks {
  private final ShmKernel kernel;
  private final List<Integer> descriptors;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment segment;

  /** Lifetime of {@link #banks}, which ends before that of the segment. */
  private Arena views = Arena.ofShared();

  private final MemorySegment[] banks = new MemorySegment[BankLayout.BANKS];
  private final int frames;
  private final int rooms;

  /**
   * Maps a segment of {@link #fault no fault}.
   *
   * @param descriptors in the order of {@link ShmHello}; this object's only without an exception
   * @throws PosixException if the kernel refuses
   */
  PeerBanks(ShmKernel kernel, List<Integer> descriptors) {
    this.kernel = kernel;
    this.descriptors = List.copyOf(descriptors);
    frames = descriptors.get(1);
    rooms = descriptors.get(2);
    boolean mapped = false;
    try {
      segment = MemoryFile.map(descriptors.getFirst(), BankLayout.BYTES, true, arena);
      mapped = true;
    } finally {
      if (!mapped) {
        arena.close();
      }
    }
  }

  /** Checks that a descriptor is a memory file of the right size for ever; empty for no fault. */
  static String fault(int file) {
    long size = MemoryFile.fixedSize(file);
    if (size == -Errno.EPERM) {
      return "the size of its segment is not sealed";
    }
    if (size < 0) {
      return "its segment is no memory file (" + SocketErrors.text((int) size) + ")";
    }
    return size == BankLayout.BYTES
        ? ""
        : "its segment has " + size + " B, not " + BankLayout.BYTES;
  }

  MemorySegment segment() {
    return segment;
  }

  /** The memory of a bank, until {@link #revoke} or {@link #unmap}. */
  MemorySegment bank(int index) {
    if (banks[index] == null) {
      MemorySegment bank = segment.asSlice(BankLayout.offset(index), BankLayout.BANK_BYTES);
      banks[index] = MemoryView.of(bank, views);
    }
    return banks[index];
  }

  /** Ends the access of all who have a bank. */
  void revoke() {
    if (arena.scope().isAlive() && end(views)) {
      views = Arena.ofShared();
      Arrays.fill(banks, null);
    }
  }

  /** Tells the neighbour of a frame; 0 or a negated errno. */
  int ringForFrame() {
    return kernel.ring(frames);
  }

  /** Tells the neighbour of a free bank; 0 or a negated errno. */
  int ringForBank() {
    return kernel.ring(rooms);
  }

  List<Integer> descriptors() {
    return descriptors;
  }

  /** Unmaps the segment, unless a native call of another thread uses a bank. */
  void unmap() {
    if (arena.scope().isAlive() && end(views)) {
      arena.close();
    }
  }

  private static boolean end(Arena lifetime) {
    try {
      lifetime.close();
      return true;
    } catch (IllegalStateException e) {
      System.getLogger(PeerBanks.class.getName())
          .log(System.Logger.Level.WARNING, "a segment stays mapped: a call uses its memory", e);
      return false;
    }
  }

  /** Closes the descriptors; the mapping stays. */
  void close() {
    descriptors.forEach(kernel::close);
  }
}
