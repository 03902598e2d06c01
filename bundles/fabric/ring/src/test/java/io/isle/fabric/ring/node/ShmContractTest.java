package io.isle.fabric.ring.node;

import io.isle.api.fabric.Dialect;
import io.isle.api.fabric.RingTransport;
import io.isle.fabric.shm.ShmTransport;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/** Rings by shared memory, which is always of dialect isle. */
class ShmContractTest extends TransportContract {
  @Override
  RingTransport transport() {
    return new ShmTransport();
  }

  @Override
  List<String> addresses(int count) {
    return Stream.generate(() -> "shm://test-" + UUID.randomUUID()).limit(count).toList();
  }

  @Override
  Dialect dialect() {
    return Dialect.ISLE;
  }
}
