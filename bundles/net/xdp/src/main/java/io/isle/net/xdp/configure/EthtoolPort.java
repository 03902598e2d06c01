package io.isle.net.xdp.configure;

import java.lang.foreign.MemorySegment;

/** Takes commands of ethtool for the interfaces of a network namespace. One thread at a time. */
interface EthtoolPort extends AutoCloseable {
  /**
   * Runs a command.
   *
   * @param command structure with its number in the first 4 bytes; receives the answer
   * @return 0; -ENODEV without such an interface; -ENOTSUP if its driver lacks the command; -EINVAL
   *     for a name that no interface can have; another negated errno
   */
  int call(String interfaceName, MemorySegment command);

  @Override
  void close();
}
