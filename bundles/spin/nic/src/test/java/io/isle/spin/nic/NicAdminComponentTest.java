package io.isle.spin.nic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.spin.NicSpec;
import io.isle.api.spin.SpinException;
import io.isle.api.spin.TemporaryNic;
import io.isle.spin.nic.live.LiveNic;
import io.isle.spin.nic.manage.SpinRig;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Temporary interfaces belong to the bundle that has made them. */
class NicAdminComponentTest {
  private final SpinRig rig = new SpinRig();
  private final NicAdminComponent mine = new NicAdminComponent(rig.core, () -> null);
  private final NicAdminComponent other = new NicAdminComponent(rig.core, () -> null);

  @AfterEach
  void close() {
    rig.close();
  }

  private static NicSpec spec(String name) {
    return new NicSpec(name, "spin0", "test:" + name, "");
  }

  private List<String> nics() {
    return rig.core.nics().stream().map(LiveNic::name).toList();
  }

  @Test
  void interfacesEndWithTheirBundle() {
    TemporaryNic closed = mine.make(spec("a"));
    TemporaryNic open = mine.make(spec("b"));
    TemporaryNic others = other.make(spec("c"));
    assertEquals("b", open.name());
    closed.close();
    assertEquals(List.of("b", "c"), nics());
    mine.deactivate();
    assertEquals(List.of("c"), nics());
    SpinException refused = assertThrows(SpinException.class, () -> mine.make(spec("d")));
    assertEquals(Errno.ECLOSED, refused.code());
    open.close();
    assertEquals(List.of("c"), nics());
    others.close();
    assertEquals(List.of(), nics());
  }

  @Test
  void mistakesNameTheKey() {
    for (NicSpec wrong :
        List.of(
            new NicSpec("a", "spin0", "", ""),
            new NicSpec("a", "spin0", "nowhere", ""),
            new NicSpec("a", "", "test:a", ""))) {
      SpinException refused = assertThrows(SpinException.class, () -> mine.make(wrong));
      String key = wrong.device().isEmpty() ? "device: " : "port: ";
      assertTrue(refused.getMessage().startsWith(key), refused::getMessage);
    }
    assertEquals(
        Errno.EINVAL,
        assertThrows(SpinException.class, () -> new NicSpec("a b", "spin0", "test:a", "")).code());
    assertEquals(List.of(), nics());
  }
}
