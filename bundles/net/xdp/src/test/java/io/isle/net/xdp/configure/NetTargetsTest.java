package io.isle.net.xdp.configure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.api.net.NetInterface;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NetTargetsTest {
  private static final Map<String, Map<String, String>> NETS =
      Map.of(
          "one", Map.of("interface", "va", "netns", "lab:demo", "tiles", "2"),
          "two", Map.of("interface", "eth0"),
          "bad", Map.of("tiles", "2"));

  @Test
  void aNetHasAnInterface() {
    assertEquals(new NetInterface("va", "lab:demo", 2), NetTargets.find(NETS, "one"));
    assertEquals(new NetInterface("eth0", "", 1), NetTargets.find(NETS, "two"));
  }

  @Test
  void missingNetsAndWrongSettingsAreNamed() {
    NetException missing = assertThrows(NetException.class, () -> NetTargets.find(NETS, "three"));
    assertEquals(Errno.ENOENT, missing.code());
    assertTrue(missing.getMessage().contains("'three'"), missing.getMessage());
    NetException wrong = assertThrows(NetException.class, () -> NetTargets.find(NETS, "bad"));
    assertEquals(Errno.EINVAL, wrong.code());
    assertTrue(wrong.getMessage().startsWith("interface"), wrong.getMessage());
  }
}
