package io.isle.fabric.shm;

import io.isle.lib.ffi.MemoryFile;
import io.isle.lib.ffi.PosixException;
import io.isle.lib.leap.banks.BankLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** The segment that this side receives by, with the bells of this side. */
final class OwnBanks {
  static final int DESCRIPTORS = 1 + 2 * Bell.DESCRIPTORS;

  private final ShmKernel kernel;
  private final int file;
  private final Bell frames;
  private final Bell banks;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment segment;

  private OwnBanks(ShmKernel kernel, int file, Bell frames, Bell banks) {
    this.kernel = kernel;
    this.file = file;
    this.frames = frames;
    this.banks = banks;
    boolean mapped = false;
    try {
      segment = MemoryFile.map(file, BankLayout.BYTES, true, arena);
      mapped = true;
    } finally {
      if (!mapped) {
        arena.close();
      }
    }
  }

  /**
   * Makes a segment of fixed size, whose pages are allocated at their first use.
   *
   * @throws PosixException EMFILE, ENOMEM and others
   */
  static OwnBanks make(ShmKernel kernel) {
    List<Integer> made = new ArrayList<>();
    boolean done = false;
    try {
      MemoryFile file = MemoryFile.create("isle-ring", BankLayout.BYTES);
      made.add(file.descriptor());
      file.seal(false);
      Bell frames = Bell.make(kernel);
      made.addAll(frames.descriptors());
      Bell banks = Bell.make(kernel);
      made.addAll(banks.descriptors());
      OwnBanks own = new OwnBanks(kernel, file.descriptor(), frames, banks);
      done = true;
      return own;
    } finally {
      if (!done) {
        made.forEach(kernel::close);
      }
    }
  }

  /**
   * Maps a parked segment again.
   *
   * @throws PosixException if the kernel refuses
   */
  static OwnBanks of(ShmKernel kernel, List<Integer> descriptors) {
    return new OwnBanks(
        kernel,
        descriptors.getFirst(),
        Bell.of(kernel, descriptors.subList(1, 3)),
        Bell.of(kernel, descriptors.subList(3, 5)));
  }

  MemorySegment segment() {
    return segment;
  }

  /** Rings when a frame has come. */
  Bell frames() {
    return frames;
  }

  /** Rings when a bank of the neighbour is free. */
  Bell banks() {
    return banks;
  }

  /** Sends the message of this side; a negated errno, or its bytes. */
  int offer(int socket, long source) {
    ShmHello.write(kernel.message.data(), source);
    return kernel.message.send(socket, ShmHello.BYTES, file, frames.sender(), banks.sender());
  }

  List<Integer> descriptors() {
    List<Integer> all = new ArrayList<>(DESCRIPTORS);
    all.add(file);
    all.addAll(frames.descriptors());
    all.addAll(banks.descriptors());
    return all;
  }

  void unmap() {
    arena.close();
  }

  void close() {
    unmap();
    kernel.close(file);
    frames.close();
    banks.close();
  }
}
