package io.isle.spin.nic.hpus;

import io.isle.api.base.Errno;
import io.isle.api.spin.ContextSpec;
import io.isle.api.spin.HandlerImage;
import io.isle.api.spin.SpinException;
import io.isle.lib.kabi.SpinStructs;
import io.isle.spin.nic.plan.NicLimits;

/**
 * What handlers are attached with. Immutable.
 *
 * @param limits of the NIC, whose packet memory the context has
 * @param spec name and sizes; its handlers are not looked at
 */
public record HandlersPlan(HandlerImage image, NicLimits limits, ContextSpec spec) {
  private static final int SCRATCHPADS = SpinStructs.CLUSTERS * SpinStructs.QUEUES;

  /**
   * Checks that the init bytes fit.
   *
   * @throws SpinException EMSGSIZE
   */
  public HandlersPlan {
    if (spec.init().length > spec.handlerMemory()) {
      throw new SpinException(
          Errno.EMSGSIZE,
          spec.name()
              + ": init has "
              + spec.init().length
              + " bytes; handler_memory is "
              + spec.handlerMemory());
    }
  }

  /** Sizes of the memories in the order of the interface {@code hpu}; 0 for none. */
  long[] sizes() {
    return new long[] {
      pages(SpinStructs.RINGS.size()),
      pages(limits.packetBytes()),
      pages(spec.handlerMemory()),
      pages((long) scratchpad() * SCRATCHPADS),
      SpinStructs.PAGE,
      (long) spec.hostPages() * SpinStructs.PAGE
    };
  }

  /** Bytes of a scratchpad: together they are whole pages. */
  public int scratchpad() {
    int unit = SpinStructs.PAGE / SCRATCHPADS;
    return Math.max(1, (spec.scratchpad() + unit - 1) / unit) * unit;
  }

  private static long pages(long bytes) {
    return (bytes + SpinStructs.PAGE - 1) / SpinStructs.PAGE * SpinStructs.PAGE;
  }
}
