package io.isle.lib.model;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FormatPageTest {
  private static final Path PAGE = Path.of("../../../docs/model-format.md");

  @ParameterizedTest
  @EnumSource
  void thePageHasEachCode(ModelFault fault) throws IOException {
    assertTrue(Files.readString(PAGE).contains("`" + fault + "`"), fault::name);
  }
}
