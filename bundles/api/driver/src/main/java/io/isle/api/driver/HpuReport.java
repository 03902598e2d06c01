package io.isle.api.driver;

import java.util.Optional;

/**
 * What the HPUs of a context have done since they were attached.
 *
 * @param attached whether a program is attached; all else is 0 without
 * @param handlers bit set of the program's handlers: 1 header, 2 packet, 4 tail
 * @param stopped whether too many traps in a row ended the taking of tasks
 * @param trap the newest trap
 * @param tasks number of tasks that ended
 * @param traps number of traps
 * @param refused number of tasks that named no handler or no packet
 */
public record HpuReport(
    boolean attached,
    int handlers,
    boolean stopped,
    Optional<Trap> trap,
    long tasks,
    long traps,
    long refused) {

  /**
   * The end of a handler that did something wrong.
   *
   * @param cause its number in isle_spin.h, 1 to 10
   * @param handler 0 header, 1 packet, 2 tail
   * @param hpu number of the HPU
   * @param instruction offset in the program, unsigned; 0 outside of it
   * @param address what was accessed; 0 if the cause is no access
   */
  public record Trap(int cause, int handler, int hpu, long instruction, long address) {}
}
