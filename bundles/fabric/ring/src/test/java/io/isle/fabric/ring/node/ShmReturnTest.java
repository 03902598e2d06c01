package io.isle.fabric.ring.node;

import io.isle.api.fabric.RingTransport;
import io.isle.fabric.shm.ShmTransport;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/** Nodes that come back by shared memory. */
class ShmReturnTest extends ReturnContract {
  @Override
  RingTransport transport() {
    return new ShmTransport();
  }

  @Override
  List<String> addresses(int count) {
    return Stream.generate(() -> "shm://return-" + UUID.randomUUID()).limit(count).toList();
  }
}
