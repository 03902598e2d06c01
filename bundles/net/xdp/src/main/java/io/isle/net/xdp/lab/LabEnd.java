package io.isle.net.xdp.lab;

/** An end of a pair of interfaces, as labs have them. */
enum LabEnd {
  A("a", "va", 0xC6120001),
  B("b", "vb", 0xC6120002),

  /** Side b of a lab with a host. */
  PORT("b", "vb", LabEnd.NO_ADDRESS),
  NEAR("near", "ha", LabEnd.NO_ADDRESS),
  HOST("host", "hb", 0xC6120002);

  /** Of an interface that has none. */
  static final int NO_ADDRESS = 0;

  private final String side;
  private final String interfaceName;
  private final int address;

  LabEnd(String side, String interfaceName, int address) {
    this.side = side;
    this.interfaceName = interfaceName;
    this.address = address;
  }

  String side() {
    return side;
  }

  String interfaceName() {
    return interfaceName;
  }

  int address() {
    return address;
  }

  boolean hasAddress() {
    return address != NO_ADDRESS;
  }
}
