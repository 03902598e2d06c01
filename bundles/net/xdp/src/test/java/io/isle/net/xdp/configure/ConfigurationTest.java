package io.isle.net.xdp.configure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.net.ConfigureStage;
import io.isle.api.net.ConfiguredSetting;
import io.isle.api.net.NetException;
import io.isle.api.net.NetInterface;
import io.isle.net.xdp.lab.LabRegistry;
import io.isle.net.xdp.lab.NetSpaces;
import io.isle.net.xdp.testing.Spaces;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The kernel's own settings, in a lab. */
@Timeout(60)
class ConfigurationTest {
  private static final Set<ConfigureStage> ALL = EnumSet.allOf(ConfigureStage.class);

  @TempDir Path folder;

  private final LabRegistry labs = new LabRegistry();
  private NetConfigureOf lab;

  /** A configuration and the interface of the lab. */
  private record NetConfigureOf(Configuration configuration, NetInterface target) {
    List<ConfiguredSetting> check() {
      return configuration.check(target, ALL);
    }
  }

  @BeforeEach
  void open() {
    Spaces.create().close();
    assertEquals(2, labs.create("one", 2).size());
    lab = on("va", 1);
  }

  @AfterEach
  void close() {
    labs.close();
  }

  private NetConfigureOf on(String name, int tiles) {
    return new NetConfigureOf(
        new Configuration(new NetSpaces(labs), folder), new NetInterface(name, "lab:one", tiles));
  }

  private static ConfiguredSetting row(List<ConfiguredSetting> rows, String setting) {
    return rows.stream().filter(row -> row.setting().equals(setting)).findFirst().orElseThrow();
  }

  @Test
  void allStagesAreSetAndPutBack() {
    List<ConfiguredSetting> before = lab.check();
    assertEquals(9, before.size());
    assertFalse(row(before, "net.ipv4.conf.lo.accept_local").isFine());
    ConfiguredSetting channels = row(before, "channels");
    assertEquals("rx 2 tx 2", channels.is());
    assertEquals("rx 1 tx 1", channels.wanted());

    List<ConfiguredSetting> dry = lab.configuration().init(lab.target(), ALL, true);
    assertEquals("would be set", row(dry, "channels").action());
    assertEquals(before, lab.check());

    List<ConfiguredSetting> set = lab.configuration().init(lab.target(), ALL, false);
    assertTrue(set.stream().allMatch(ConfiguredSetting::isFine), set::toString);
    assertEquals("2", row(lab.check(), "net.ipv4.conf.lo.rp_filter").is());
    assertEquals("rx 1 tx 1", row(lab.check(), "channels").is());
    assertEquals("off", row(lab.check(), "tx-udp-segmentation").is());
    assertFalse(row(set, "channels").persistent());

    List<ConfiguredSetting> back = on("va", 1).configuration().fini(lab.target(), ALL, false);
    assertTrue(back.stream().allMatch(row -> row.action().equals("put back")), back::toString);
    assertEquals(before, lab.check());
  }

  @Test
  void oneStageIsOneStage() {
    Set<ConfigureStage> channels = EnumSet.of(ConfigureStage.CHANNELS);
    assertEquals(1, lab.configuration().init(lab.target(), channels, false).size());
    assertFalse(row(lab.check(), "net.ipv4.conf.lo.accept_local").isFine());
    assertEquals(
        List.of(),
        lab.configuration().fini(lab.target(), EnumSet.of(ConfigureStage.SYSCTL), false));
    assertEquals(1, lab.configuration().fini(lab.target(), channels, false).size());
  }

  @Test
  void whatADriverLacksNamesTheDriver() {
    ConfiguredSetting few = row(on("va", 4).check(), "channels");
    assertEquals(Optional.of("driver veth, which has at most 2"), few.unsupported());
    assertTrue(few.isFine());
    ConfiguredSetting loopback =
        row(lab.configuration().check(new NetInterface("lo", "", 1), ALL), "channels");
    assertTrue(loopback.unsupported().orElseThrow().startsWith("driver"), loopback::toString);
  }

  @Test
  void noSuchInterfaceOrNamespace() {
    NetException gone =
        assertThrows(
            NetException.class,
            () -> lab.configuration().check(new NetInterface("gone9", "", 1), ALL));
    assertEquals(Errno.ENODEV, gone.code());
    assertTrue(gone.getMessage().startsWith("gone9"), gone.getMessage());
    assertEquals(
        Errno.ENOENT,
        assertThrows(
                NetException.class,
                () -> lab.configuration().check(new NetInterface("va", "lab:two", 1), ALL))
            .code());
    assertThrows(NetException.class, () -> new NetInterface("", "", 1));
    assertThrows(NetException.class, () -> new NetInterface("va", "", 17));
  }
}
