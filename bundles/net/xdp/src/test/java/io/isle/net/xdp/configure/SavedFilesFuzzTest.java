package io.isle.net.xdp.configure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Files of any text in the places of those that the configuration reads. */
class SavedFilesFuzzTest {
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
}
