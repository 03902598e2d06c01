package io.isle.core.drivers.versions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class DriverHeadersTest {
  private static void refused(String header, String name, String library) {
    DriverHeaders headers = DriverHeaders.of(name, "1.0.0", library, null);
    DriverException refused = assertThrows(DriverException.class, headers::check);
    assertEquals(Errno.EINVAL, refused.code());
    assertTrue(refused.getMessage().startsWith(header + ": "), refused.getMessage());
  }

  @Test
  void spacesAndDefaultsAreAsTheyAreMeant() {
    DriverHeaders headers = DriverHeaders.of("com.example.a_b-2", "1.0.0", " lib/x.so ", null);
    headers.check();
    assertEquals(new DriverHeaders("com.example.a_b-2", "1.0.0", "lib/x.so", "compute"), headers);
    assertEquals("gpu", DriverHeaders.of("a", "1.0.0", "x.so", " gpu ").profile());
  }

  /** The framework takes any of them, and folders of the platform are named after it. */
  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {
        "",
        ".",
        "..",
        "../x",
        "/etc",
        "a/../../b",
        "a..b",
        ".a",
        "a.",
        "a b",
        "a@b",
        "\u00e4"
      })
  void aNameThatIsNoneIsRefused(String name) {
    refused("Bundle-SymbolicName", name, "lib/x.so");
  }

  @Test
  void aNameThatIsTooLongForAFolderIsRefused() {
    DriverHeaders.of("a".repeat(200), "1.0.0", "x.so", null).check();
    refused("Bundle-SymbolicName", "a".repeat(201), "x.so");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/x.so", "../x.so", "lib/../../x.so", "./x.so", "lib//x.so", "lib/"})
  void anEntryThatIsNoPlainPathIsRefused(String entry) {
    refused("Isle-Driver", "com.example.demo", entry);
  }
}
