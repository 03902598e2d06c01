package io.isle.fabric.ring.isle;

import io.isle.api.fabric.DatagramPort;
import io.isle.api.fabric.RingPort;
import io.isle.fabric.ring.link.LinkMeter;
import io.isle.lib.leap.isle.Hello;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Frames on a port of datagrams, which lose frames without a number, and notice no end. */
final class DatagramWire implements Wire {
  private final int frameBytes;
  private final DatagramInput input;
  private final DatagramOutput output;

  /** Bytes of the kernel's buffer, and the frames that it has room for. */
  private int buffer;

  private int ahead = 1;

  DatagramWire(IsleSpec spec, LinkMeter meter, Arena arena) {
    frameBytes = spec.frameBytes();
    input = new DatagramInput(spec, meter, arena);
    output = new DatagramOutput(spec, meter, arena);
  }

  @Override
  public int next(RingPort port, long nowNs) {
    return input.next((DatagramPort) port, nowNs);
  }

  @Override
  public int next(RingPort port, Inbound in, long nowNs) {
    return input.next((DatagramPort) port, in, nowNs);
  }

  @Override
  public boolean spin(RingPort port) {
    return input.spin((DatagramPort) port);
  }

  @Override
  public void again() {
    input.again();
  }

  @Override
  public MemorySegment memory() {
    return input.memory();
  }

  @Override
  public long at() {
    return input.at();
  }

  @Override
  public String fault() {
    return input.fault();
  }

  @Override
  public long arrived() {
    return input.arrived();
  }

  /** As many as the kernel has room for, while the link does not read. */
  @Override
  public int ahead(RingPort port) {
    int bytes = ((DatagramPort) port).receiveBuffer();
    if (bytes != buffer) {
      buffer = bytes;
      ahead = Math.clamp(bytes / frameBytes, 1, Hello.MAX_WINDOW);
    }
    return ahead;
  }

  @Override
  public boolean isLossy() {
    return true;
  }

  @Override
  public boolean isIdle() {
    return output.isIdle();
  }

  @Override
  public int send(RingPort port, MemorySegment frame, int bytes, long number, long nowNs) {
    return output.send((DatagramPort) port, frame, bytes, number);
  }

  @Override
  public int flush(RingPort port, long nowNs) {
    return output.flush((DatagramPort) port);
  }

  @Override
  public boolean repair(RingPort port, SendWindow window, long nowNs) {
    return output.repair((DatagramPort) port, window);
  }

  @Override
  public String missing(MemorySegment frame, long offset, int length, SendWindow window) {
    return output.missing(frame, offset, length, window);
  }

  @Override
  public int request(OwnFrame own, long nowNs) {
    return input.request(own, nowNs);
  }

  @Override
  public void acknowledged(long first) {
    output.acknowledged(first);
  }

  @Override
  public void announced(long last, long delivered, long nowNs) {
    input.announced(last, nowNs);
  }

  @Override
  public long deadlineNs() {
    return input.deadlineNs();
  }

  @Override
  public void greeted(long delivered, long nowNs) {
    output.reset();
    input.greeted(delivered, nowNs);
  }

  /** What came by another path is not missing here. */
  @Override
  public void delivered(long number, long nowNs) {
    input.delivered(number, nowNs);
  }

  @Override
  public void reset() {
    input.reset();
    output.reset();
  }
}
