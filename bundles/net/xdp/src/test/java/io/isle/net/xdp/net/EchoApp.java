package io.isle.net.xdp.net;

import io.isle.api.base.Setting;
import io.isle.api.net.FramePort;
import io.isle.api.net.NetApp;
import io.isle.api.net.NetAppTask;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;

/** Sends each frame back; frames of 20 bytes of IPv4 header. */
final class EchoApp implements NetApp {
  private static final int IP = 14;
  private static final int UDP = IP + 20;
  private final boolean silent;

  EchoApp(boolean silent) {
    this.silent = silent;
  }

  @Override
  public List<Setting> settings() {
    return List.of();
  }

  @Override
  public NetAppTask open(FramePort port, Map<String, String> settings) {
    return new NetAppTask() {
      @Override
      public int cycle(long nowNs) {
        int count = port.poll((memory, offset, length, signature) -> frame(memory, length), 64);
        int ignored = port.flush();
        return count;
      }

      private void frame(MemorySegment frame, int length) {
        if (silent) {
          return;
        }
        long at = port.claim(length);
        if (at < 0) {
          return;
        }
        MemorySegment to = port.memory();
        MemorySegment.copy(frame, 0, to, at, length);
        MemorySegment.copy(frame, 0, to, at + 6, 6);
        MemorySegment.copy(frame, 6, to, at, 6);
        MemorySegment.copy(frame, IP + 12, to, at + IP + 16, 4);
        MemorySegment.copy(frame, IP + 16, to, at + IP + 12, 4);
        MemorySegment.copy(frame, UDP, to, at + UDP + 2, 2);
        MemorySegment.copy(frame, UDP + 2, to, at + UDP, 2);
        // a sender on this machine leaves the checksum unfinished
        to.set(ValueLayout.JAVA_SHORT_UNALIGNED, at + UDP + 6, (short) 0);
        int destination = to.get(ValueLayout.JAVA_INT_UNALIGNED, at + IP + 16);
        int ignored = port.publish(length, destination & 0xFFFF_FFFFL);
      }

      @Override
      public Map<String, Long> counters() {
        return Map.of();
      }

      @Override
      public void close() {}
    };
  }
}
