package io.isle.fabric.ring.node;

import io.isle.api.fabric.Dialect;

/** Rings of dialect isle by TCP. */
class TcpIsleContractTest extends TcpContractTest {
  @Override
  Dialect dialect() {
    return Dialect.ISLE;
  }
}
