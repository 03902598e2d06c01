package io.isle.faces.shell.ring;

import io.isle.api.fabric.RingEndpoint;
import io.isle.lib.drive.LostFrame;
import io.isle.lib.drive.MasterPath;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * The endpoint of a master for drives and measurements.
 *
 * @param endpoint of the master
 */
public record EndpointPath(RingEndpoint endpoint) implements MasterPath {
  @Override
  public String node() {
    return endpoint.node();
  }

  @Override
  public int packetBytes() {
    return endpoint.packetBytes();
  }

  @Override
  public long send(
      MemorySegment header,
      long headerLength,
      MemorySegment data,
      long offset,
      long length,
      long timeoutNs) {
    return endpoint.sendNext(header, headerLength, data, offset, length, timeoutNs);
  }

  @Override
  public long receive(MemorySegment into, long offset, long length, long timeoutNs) {
    return endpoint.recvPrev(into, offset, length, timeoutNs);
  }

  @Override
  public Optional<LostFrame> lastLoss() {
    return endpoint
        .lastLoss()
        .map(loss -> new LostFrame(loss.number(), loss.chunks(), loss.total()));
  }

  @Override
  public String state() {
    return endpoint.info().links();
  }
}
