package io.isle.net.xdp.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.net.ConfigureStage;
import io.isle.api.net.ConfiguredSetting;
import io.isle.api.net.NetConfigure;
import io.isle.api.net.NetException;
import io.isle.api.net.NetFinding;
import io.isle.api.net.NetInterface;
import io.isle.net.xdp.configure.Configuration;
import io.isle.net.xdp.lab.LabRegistry;
import io.isle.net.xdp.lab.NetSpaces;
import io.isle.net.xdp.netlink.LinkRequests;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Settings of Linux for the interface of a net, in a namespace of the test. */
@Timeout(120)
class PreparationTest extends NetFixture {
  private Kernel kernel;

  /** The settings of the namespace, without an audit. */
  private static final class Kernel implements NetConfigure {
    private final Configuration configuration;
    NetException refusal;

    Kernel(Configuration configuration) {
      this.configuration = configuration;
    }

    @Override
    public NetInterface of(String net) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<ConfiguredSetting> check(NetInterface target, Set<ConfigureStage> stages) {
      return configuration.check(target, stages);
    }

    @Override
    public List<ConfiguredSetting> init(
        NetInterface target, Set<ConfigureStage> stages, boolean dryRun) {
      if (refusal != null) {
        throw refusal;
      }
      return configuration.init(target, stages, dryRun);
    }

    @Override
    public List<ConfiguredSetting> fini(
        NetInterface target, Set<ConfigureStage> stages, boolean dryRun) {
      return configuration.fini(target, stages, dryRun);
    }
  }

  @BeforeEach
  void prepare() {
    new LinkRequests(pair.kernelB).setUp(1, true);
    kernel = another();
    core.add(kernel);
  }

  /** As behind a restart of the platform. */
  private Kernel another() {
    return new Kernel(new Configuration(new NetSpaces(new LabRegistry()), folder.resolve("data")));
  }

  /** Settings that differ. */
  private Set<String> wrong() {
    return Set.copyOf(
        kernel
            .check(
                new NetInterface("vb", settings().get("netns"), 1),
                EnumSet.allOf(ConfigureStage.class))
            .stream()
            .filter(one -> !one.isFine())
            .map(one -> one.interfaceName() + " " + one.setting())
            .toList());
  }

  private List<String> explained(boolean ok) {
    return core.explain("n").stream()
        .filter(one -> one.subject().equals("configure") && one.ok() == ok)
        .map(NetFinding::text)
        .toList();
  }

  private List<String> notes() {
    return core.find("n").orElseThrow().notes().stream()
        .filter(one -> one.startsWith("configure: "))
        .toList();
  }

  @Tag(TWO_QUEUES)
  @Test
  void checkTellsWhatDiffersAndChangesNothing() {
    Set<String> before = wrong();
    assertTrue(before.contains("vb channels"), before::toString);
    core.create("n", settings("mode", "skb"));
    running();
    String told = "channels of vb is rx 2 tx 2, wanted rx 1 tx 1; 'net:configure init n' sets it";
    assertTrue(explained(false).contains(told), () -> explained(false).toString());
    assertTrue(notes().contains("configure: " + told), () -> notes().toString());
    assertFalse(notes().toString().contains("of lo"), () -> notes().toString());
    assertEquals(before, wrong());
    core.set("n", Map.of("configure", "off"));
    assertEquals(List.of(), notes());
    assertEquals(List.of(), explained(true));
  }

  @Tag(TWO_QUEUES)
  @Test
  void autoSetsAndPutsBack() {
    Set<String> before = wrong();
    assertTrue(before.contains("lo net.ipv4.conf.lo.accept_local"), before::toString);
    core.create("n", settings("mode", "skb", "configure", "auto", "loopback", "true"));
    running();
    assertEquals(Set.of(), wrong());
    assertEquals(List.of("the settings of vb are as wanted"), explained(true));
    core.set("n", Map.of("loopback", "false"));
    running();
    assertTrue(wrong().contains("lo net.ipv4.conf.lo.accept_local"));
    assertFalse(wrong().contains("vb channels"));
    assertTrue(core.remove("n"));
    assertEquals(before, wrong());
  }

  @Test
  void theLastNetPutsBackWhatSeveralNeed() {
    Set<String> before = wrong();
    assertFalse(before.isEmpty());
    new LinkRequests(pair.kernelB).addVeth("vc", "vd", pair.b, 1);
    new LinkRequests(pair.kernelB).setUp(pair.kernelB.link("vc").index(), true);
    core.create("n", settings("configure", "auto", "loopback", "true"));
    core.create("m", settings("configure", "auto", "interface", "vc"));
    core.set("m", Map.of("loopback", "true"));
    // lo has one program, and both nets want its settings all the same
    core.remove("n");
    assertFalse(wrong().contains("lo net.ipv4.conf.lo.accept_local"));
    core.close();
    core = null;
    host.close();
    assertEquals(before, wrong());
    pair.close();
  }

  /** The values from before are those before the platform that was killed. */
  @Test
  void valuesFromBeforeOutliveThePlatform() {
    Set<String> before = wrong();
    Set<ConfigureStage> sysctl = EnumSet.of(ConfigureStage.SYSCTL);
    var ignored = another().init(new NetInterface("vb", settings().get("netns"), 1), sysctl, false);
    assertFalse(wrong().contains("lo net.ipv4.conf.lo.accept_local"));
    core.create("n", settings("configure", "auto", "loopback", "true"));
    running();
    assertTrue(core.remove("n"));
    assertEquals(before, wrong());
  }

  @Test
  void aNetGoesOnWhoseSettingsAreRefused() {
    kernel.refusal = new NetException(Errno.EPERM, "planned");
    core.create("n", settings("configure", "auto", "loopback", "true"));
    running();
    assertTrue(
        explained(false)
            .contains(
                "net.ipv4.conf.lo.accept_local of lo is 0, wanted 1; 'net:configure init n' sets it"),
        () -> explained(false).toString());
  }
}
