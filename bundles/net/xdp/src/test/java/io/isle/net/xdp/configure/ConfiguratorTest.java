package io.isle.net.xdp.configure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.net.ConfigureStage;
import io.isle.api.net.ConfiguredSetting;
import io.isle.api.net.NetException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The way there and back, on settings of the test's own. */
class ConfiguratorTest {
  @TempDir Path folder;

  private final FakeKnob one = new FakeKnob("one", "0");
  private final FakeKnob two = new FakeKnob("two", "7");

  private static final class FakeKnob implements Knob {
    private final String setting;
    private String value;
    private boolean refuses;
    private Optional<String> unsupported = Optional.empty();

    FakeKnob(String setting, String value) {
      this.setting = setting;
      this.value = value;
    }

    @Override
    public ConfigureStage stage() {
      return ConfigureStage.SYSCTL;
    }

    @Override
    public String interfaceName() {
      return "lo";
    }

    @Override
    public String setting() {
      return setting;
    }

    @Override
    public String wanted() {
      return "1";
    }

    @Override
    public Reading read() {
      return new Reading(value, false, unsupported);
    }

    @Override
    public void write(String to) {
      if (refuses) {
        throw new NetException(Errno.EPERM, setting + ": needs root");
      }
      value = to;
    }
  }

  /** As another run of the platform: nothing is remembered but in the file. */
  private Configurator configurator(boolean dryRun) {
    return new Configurator(List.of(one, two), SavedValues.open(folder, 4026531840L), dryRun);
  }

  private static List<String> actions(List<ConfiguredSetting> rows) {
    return rows.stream().map(row -> row.is() + " " + row.action()).toList();
  }

  private long files() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.count();
    }
  }

  @Test
  void whatWasThereComesBack() throws IOException {
    assertEquals(List.of("1 set, was 0", "1 set, was 7"), actions(configurator(false).init()));
    assertEquals(List.of("1 fine", "1 fine"), actions(configurator(false).init()));
    assertEquals(1, files());
    assertEquals(
        List.of("1 would be put back", "1 would be put back"), actions(configurator(true).fini()));
    assertEquals(List.of("0 put back", "7 put back"), actions(configurator(false).fini()));
    assertEquals(0, files());
    assertEquals(List.of(), configurator(false).fini());
  }

  @Test
  void aDryRunChangesNothing() throws IOException {
    assertEquals(List.of("0 would be set", "7 would be set"), actions(configurator(true).init()));
    assertEquals("0", one.value);
    assertEquals(0, files());
  }

  @Test
  void theOldestValueIsTheOneFromBefore() {
    assertEquals("1", configurator(false).init().getFirst().is());
    one.value = "5";
    assertEquals("1 set, was 5", actions(configurator(false).init()).getFirst());
    assertEquals("0 put back", actions(configurator(false).fini()).getFirst());
  }

  @Test
  void whatOthersChangeSinceStays() {
    assertEquals(2, configurator(false).init().size());
    two.value = "3";
    List<ConfiguredSetting> rows = configurator(false).fini();
    assertEquals(List.of("0 put back", "3 left: changed since by somebody else"), actions(rows));
    assertTrue(rows.get(1).isFine());
    assertEquals("3", two.value);
    assertEquals(List.of(), configurator(false).fini());
  }

  @Test
  void aRefusalInBetweenKeepsWhatIsRemembered() {
    two.refuses = true;
    assertThrows(NetException.class, () -> configurator(false).init());
    assertEquals("1", one.value);
    two.refuses = false;
    assertEquals(
        List.of("0 put back", "7 left: changed since by somebody else"),
        actions(configurator(false).fini()));
    assertEquals("7", two.value);
  }

  @Test
  void whatIsNotSupportedIsLeft() {
    two.unsupported = Optional.of("driver veth");
    List<ConfiguredSetting> rows = configurator(false).init();
    assertEquals("7 left", actions(rows).get(1));
    assertTrue(rows.get(1).isFine());
    assertEquals("", rows.get(1).wanted());
    assertEquals("7", two.value);
    one.value = "0";
    assertFalse(configurator(false).check().getFirst().isFine());
  }

  /** A restart of the machine has reset the settings already. */
  @Test
  void valuesOfAnEarlierStartOfTheMachineAreForgotten() throws IOException {
    assertEquals(2, configurator(false).init().size());
    Path file = folder.resolve("netns-4026531840.properties");
    Files.writeString(file, Files.readString(file).replaceAll("boot=.*", "boot=earlier"));
    assertEquals(List.of(), configurator(false).fini());
    assertEquals("1", one.value);
  }

  @Test
  void aBrokenFileIsNamed() throws IOException {
    Files.writeString(folder.resolve("netns-4026531840.properties"), "was=\\u12");
    NetException broken = assertThrows(NetException.class, () -> configurator(false));
    assertEquals(Errno.EIO, broken.code());
    assertTrue(broken.getMessage().contains("netns-4026531840"), broken.getMessage());
  }

  @Test
  void theLastLineOfTheLastFileCounts() {
    String key = "net.ipv4.conf.lo.rp_filter";
    assertEquals(
        "2",
        SysctlFiles.last(
            List.of(
                "# " + key + " = 9",
                key + "=1",
                "-net/ipv4/conf/lo/rp_filter = 2 ",
                key,
                "net.ipv4.conf.all.rp_filter = 3"),
            key,
            "0"));
    assertEquals("0", SysctlFiles.last(List.of(), key, "0"));
  }
}
