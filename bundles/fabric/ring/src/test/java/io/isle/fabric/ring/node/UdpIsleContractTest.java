package io.isle.fabric.ring.node;

import io.isle.api.fabric.Dialect;

/** Rings of dialect isle by UDP. */
class UdpIsleContractTest extends UdpContractTest {
  @Override
  Dialect dialect() {
    return Dialect.ISLE;
  }
}
