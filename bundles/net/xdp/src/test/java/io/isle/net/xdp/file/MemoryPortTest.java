package io.isle.net.xdp.file;

import io.isle.api.net.FramePort;
import java.util.List;

class MemoryPortTest extends FramePortContract {
  private MemoryPort port;

  @Override
  protected FramePort open(List<byte[]> arriving) {
    port = new MemoryPort(arriving, MTU);
    return port;
  }

  @Override
  protected List<byte[]> sent() {
    return port.sent();
  }
}
