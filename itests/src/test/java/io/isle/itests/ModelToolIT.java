package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The model tool as a user calls it: without a platform, from any folder. */
class ModelToolIT {
  /** RFC 8032, 7.1, test 2. */
  private static final String KEY =
      "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c";

  private static final String SIGNATURE =
      "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
          + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00";

  @TempDir Path folder;

  private Platform.Result tool(String line) {
    String isle = Platform.root().resolve("isle").toString();
    return Call.begin(folder, Map.of(), List.of("sh", "-c", "\"$0\" mltool " + line, isle)).end();
  }

  private Platform.Result bare(String message, String more) {
    return tool(
        "verify --alg ed25519 --key " + KEY + " --msg '" + message + "' --sig " + SIGNATURE + more);
  }

  @Test
  void aKeyIsMadeWhereTheCallerIs() throws Exception {
    Path spaced = Files.createDirectory(folder.resolve("a  folder"));
    tool("keygen 'a  folder/k' --ml-dsa 87").succeeded();
    assertTrue(Files.readString(spaced.resolve("k.pub")).contains("\nalgorithm: 0x0201\n"));
    Platform.Result again = tool("keygen 'a  folder/k'").failed(1);
    assertEquals("isle: a  folder/k.pub exists already\n", again.err());
  }

  @Test
  void aSingleSignatureIsVerified() throws Exception {
    assertEquals("the signature is valid\n", bare("72", "").succeeded().out());
    assertEquals("the signature is not valid\n", bare("", "").failed(1).out());
    assertTrue(bare("72", " --json").succeeded().json().get("valid").asBoolean());
    bare("7", "").failed(2);
    bare("72", " --ctx ''").failed(2);
  }

  @Test
  void linesOfStandardInputAreVerified() throws Exception {
    String line =
        "{\"id\":1,\"alg\":\"ed25519\",\"key\":\"%s\",\"msg\":\"72\",\"sig\":\"%s\"}\n"
            .formatted(KEY, SIGNATURE);
    Files.writeString(folder.resolve("good"), line.repeat(2));
    Files.writeString(folder.resolve("bad"), line + "nothing\n");
    String valid = "{\"id\":1,\"valid\":true,\"reason\":\"the signature is valid\"}\n";
    assertEquals(valid.repeat(2), tool("verify --batch < good").succeeded().out());
    assertEquals(
        valid + "{\"id\":null,\"valid\":false,\"reason\":\"the line is not a JSON object\"}\n",
        tool("verify --batch < bad").failed(1).out());
  }
}
