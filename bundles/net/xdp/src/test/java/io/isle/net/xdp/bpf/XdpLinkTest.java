package io.isle.net.xdp.bpf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.lib.ffi.NetNamespace;
import io.isle.lib.ffi.PosixException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The loopback interface of a namespace that the test makes; skipped without the rights. */
class XdpLinkTest {
  private static final int LOOPBACK = 1;

  private NetNamespace namespace;

  @BeforeEach
  void make() {
    Rights.assumeBpf();
    String refusal = "";
    try {
      namespace = NetNamespace.create();
    } catch (PosixException e) {
      refusal = e.getMessage();
    }
    assumeTrue(refusal.isEmpty(), "no namespace is possible here: " + refusal);
  }

  @AfterEach
  void end() {
    if (namespace != null) {
      namespace.close();
    }
  }

  private static XdpProgram pass() {
    return XdpProgram.load(new Assembler().move(Register.R0, 2).exit().assemble());
  }

  private XdpLink attach(XdpProgram program, XdpLink.Mode mode) {
    return namespace.call(() -> XdpLink.attach(program, LOOPBACK, mode));
  }

  @Test
  void anInterfaceHasOneProgramWhichIsReplacedInPlace() {
    try (XdpProgram first = pass();
        XdpProgram second = pass()) {
      XdpLink link = attach(first, XdpLink.Mode.SKB);
      try (link) {
        assertTrue(link.descriptor() >= 0);
        NetException busy =
            assertThrows(NetException.class, () -> attach(second, XdpLink.Mode.SKB));
        assertEquals(Errno.EBUSY, busy.code());
        assertTrue(busy.getMessage().contains("another program"), busy.getMessage());
        link.update(second);
      }
      link.close();
      attach(second, XdpLink.Mode.AUTO).close();
    }
  }

  @Test
  void aDriverWithoutAPlaceForProgramsIsNamed() {
    try (XdpProgram program = pass()) {
      NetException e = assertThrows(NetException.class, () -> attach(program, XdpLink.Mode.DRV));
      assertTrue(e.getMessage().contains("interface 1"), e.getMessage());
      assertEquals(Errno.ENOTSUP, e.code());
    }
  }
}
