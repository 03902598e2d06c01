package io.isle.spin.nic.manage;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;

class SignatureSettingTest {
  private final MemoryFiles files = new MemoryFiles();

  private void set(String value) {
    files.set("io.isle.drivers", Map.of("signatures", value));
  }

  @Test
  void withoutTheFileNoneIsRequired() {
    assertFalse(new SignatureSetting(files).getAsBoolean());
  }

  @Test
  void aValueThatCannotBeIsStrictAtFirstAndChangesNothingLater() {
    set("requird");
    SignatureSetting setting = new SignatureSetting(files);
    assertTrue(setting.getAsBoolean());
    set(" off ");
    assertFalse(setting.getAsBoolean());
    set("requird");
    assertFalse(setting.getAsBoolean());
    set("required");
    assertTrue(setting.getAsBoolean());
    set("");
    assertTrue(setting.getAsBoolean());
  }
}
