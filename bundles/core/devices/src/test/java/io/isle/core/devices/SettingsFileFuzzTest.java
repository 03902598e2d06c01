package io.isle.core.devices;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A device's settings file is hostile input: the stored inputs, and those of scripts/fuzz. */
class SettingsFileFuzzTest {
  private static final int LONGEST_REASON = 1000;

  @FuzzTest(maxDuration = "2m")
  void anyBytesAreGoodSettingsOrARefusalThatNamesAKey(byte[] bytes) throws IOException {
    Path file = Files.createTempFile("isle-fuzz", ".cfg");
    try {
      Files.write(file, bytes);
      Map<String, String> raw;
      try {
        raw = new CfgFile(file).read();
      } catch (IOException | IllegalArgumentException unreadable) {
        return;
      }
      SettingsCheck.Result result = SettingsCheck.check(Fixtures.SOFT, raw);
      assertEquals(result.desired().isEmpty(), !result.refusal().isEmpty());
      assertTrue(result.refusal().length() < LONGEST_REASON, result.refusal());
      result
          .desired()
          .ifPresent(
              desired -> {
                long memory = Long.parseLong(desired.settings().get("memory_bytes"));
                assertTrue(memory >= 4096 && memory <= 1L << 40, () -> "accepted " + memory);
              });
    } finally {
      Files.delete(file);
    }
  }
}
