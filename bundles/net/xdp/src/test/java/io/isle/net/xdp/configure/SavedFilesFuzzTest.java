package io.isle.net.xdp.configure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Files of any text in the places of those that the configuration reads. */
class SavedFilesFuzzTest {
  private static final int GCHANNELS = 0x3c;
  private static final int SCHANNELS = 0x3d;
  private static final String SETTING = "net.ipv4.conf.lo.rp_filter";

  @Provide
  Arbitrary<String> lines() {
    return Arbitraries.oneOf(
        Arbitraries.strings().ofMaxLength(60),
        Arbitraries.of(
            "=",
            "#",
            "-",
            SETTING,
            SETTING + "=",
            "-net/ipv4/conf/lo/rp_filter = 2",
            "a=b=c",
            "boot=x",
            "was lo rp_filter=1",
            "set lo rp_filter=\\u00",
            "\\uzzzz=1",
            "\\"));
  }

  @Property(tries = 500)
  void theLastLineThatNamesTheSettingCounts(
      @ForAll List<@net.jqwik.api.From("lines") String> file) {
    String value = SysctlFiles.last(file, SETTING, "before");
    boolean named = file.stream().anyMatch(line -> line.contains("rp_filter"));
    assertTrue(named || value.equals("before"));
    assertTrue(
        value.equals("before")
            || file.stream()
                .anyMatch(line -> line.endsWith(value) || line.strip().endsWith(value)));
  }

  @Property(tries = 200)
  void valuesFromBeforeAreReadOrRefused(@ForAll List<@net.jqwik.api.From("lines") String> lines)
      throws IOException {
    Path folder = Files.createTempDirectory("isle-saved");
    Path file = folder.resolve("netns-7.properties");
    try {
      Files.writeString(file, String.join("\n", lines), StandardCharsets.UTF_8);
      SavedValues saved = SavedValues.open(folder, 7);
      assertTrue(saved.find(new SysctlKnob("lo", "rp_filter", "2")).isEmpty());
    } catch (NetException e) {
      assertEquals(Errno.EIO, e.code(), e.getMessage());
      assertTrue(e.getMessage().contains(file.toString()), e.getMessage());
    } finally {
      Files.delete(file);
      Files.delete(folder);
    }
  }

  @Provide
  Arbitrary<String> queues() {
    return Arbitraries.oneOf(
        Arbitraries.strings().ofMaxLength(20),
        Arbitraries.of(
            "",
            "combined",
            "combined 2",
            "combined -1",
            "combined 9999999999",
            "rx 1 tx 2",
            "rx 1"));
  }

  /** The driver of this test takes any number. */
  @Property(tries = 300)
  void queuesFromBeforeAreWrittenOrRefused(@ForAll("queues") String value) {
    List<Integer> codes = new ArrayList<>();
    try (Ethtool ethtool = new Ethtool(new TakingPort(codes))) {
      new ChannelsKnob(ethtool, "eth0", 2).write(value);
      assertTrue(value.matches("combined [0-9]{1,9}|rx [0-9]{1,9} tx [0-9]{1,9}"), value);
      assertEquals(List.of(GCHANNELS, GCHANNELS, SCHANNELS), codes);
    } catch (NetException e) {
      assertEquals(Errno.EINVAL, e.code(), e.getMessage());
      assertTrue(e.getMessage().startsWith("eth0: channels: "), e.getMessage());
      assertEquals(List.of(), codes);
    }
  }

  private record TakingPort(List<Integer> codes) implements EthtoolPort {
    @Override
    public int call(String interfaceName, MemorySegment command) {
      codes.add(command.get(ValueLayout.JAVA_INT, 0));
      return 0;
    }

    @Override
    public void close() {}
  }
}
