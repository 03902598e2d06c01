package io.isle.fabric.tcp;

import io.isle.lib.ffi.SocketOptions;
import io.isle.lib.ffi.TcpInfo;

/** The values of this machine's kernel. */
final class KernelVitals implements Vitals {
  private final SocketOptions options = new SocketOptions();
  private final TcpInfo info = new TcpInfo();

  @Override
  public int read(int descriptor) {
    return options.tcpInfo(descriptor, info);
  }

  @Override
  public int state() {
    return info.state();
  }

  @Override
  public int retransmits() {
    return info.retransmits();
  }

  @Override
  public int probes() {
    return info.probes();
  }

  @Override
  public long sinceAcknowledged() {
    return info.sinceAcknowledged();
  }
}
