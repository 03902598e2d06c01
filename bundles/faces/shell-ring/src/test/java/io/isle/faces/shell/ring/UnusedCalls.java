package io.isle.faces.shell.ring;

import io.isle.api.base.Errno;
import io.isle.api.fabric.RingEndpoint;
import io.isle.api.fabric.RingListener;
import java.lang.foreign.MemorySegment;

/** The calls of an endpoint that no command makes. */
abstract class UnusedCalls implements RingEndpoint {
  @Override
  public void listen(RingListener listener) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long sendPrev(MemorySegment packet, long offset, long length, long timeoutNs) {
    return -Errno.ENOTSUP;
  }

  @Override
  public long recvNext(MemorySegment into, long offset, long length, long timeoutNs) {
    return -Errno.ENOTSUP;
  }

  @Override
  public long claimNext(long timeoutNs) {
    return -Errno.ENOTSUP;
  }

  @Override
  public MemorySegment claimed() {
    throw new UnsupportedOperationException();
  }

  @Override
  public long commitNext(long timeoutNs) {
    return -Errno.ENOTSUP;
  }

  @Override
  public void abandonNext() {}

  @Override
  public long sendControl(MemorySegment message, long offset, long timeoutNs) {
    return -Errno.ENOTSUP;
  }

  @Override
  public long pollControl(MemorySegment into, long offset) {
    return -Errno.EAGAIN;
  }
}
