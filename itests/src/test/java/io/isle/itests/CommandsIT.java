package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(Platform.class)
class CommandsIT {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "device:list",
        "device:tree",
        "driver:list",
        "accel:contexts",
        "accel:memory",
        "job:list"
      })
  void listsAreJsonArrays(String command) throws Exception {
    assertTrue(Platform.sh(command, "--json").succeeded().json().isArray());
  }

  @ParameterizedTest
  @CsvSource({
    "no:such, 2",
    "device:info, 2",
    "device:list --nope, 2",
    "'device:list {', 2",
    "device:info nothing9, 1",
    "job:show 999, 1"
  })
  void failuresHaveTheirCodeAndAReasonOnStandardErrorOnly(String command, int code) {
    Platform.Result result = Platform.sh(command).failed(code);
    assertEquals("", result.out());
    assertFalse(result.err().isBlank());
  }

  @Test
  void aLineStopsAtTheFirstFailure() {
    Platform.Result result = Platform.sh("echo one; no:such; echo two").failed(2);
    assertEquals("one\n", result.out());
  }

  @Test
  void outputIsPlainWithoutATerminal() {
    String out = Platform.sh("device:list; bundle:list | grep isle").succeeded().out();
    assertFalse(out.contains("\u001b"), out);
  }

  @Test
  void statusIsOneDocument() throws Exception {
    JsonNode status = Platform.isle("status", "--json").succeeded().json();
    assertEquals("running", status.get("state").asText());
    assertTrue(status.get("pid").asLong() > 0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bundle:install mvn:a/b/1",
        "device:disable soft0",
        "driver:reload soft",
        "job:run nothing.yml",
        "shell:exec id",
        "($.context getBundle 0) getSymbolicName",
        "echo x > /tmp/isle-itests-must-not-exist"
      })
  void aViewerMayOnlyLook(String command) {
    assertFalse(Platform.sh(command, "--as", "viewer").code() == 0);
    assertFalse(
        java.nio.file.Files.exists(java.nio.file.Path.of("/tmp/isle-itests-must-not-exist")));
    Platform.sh("device:list", "--as", "viewer").succeeded();
  }
}
