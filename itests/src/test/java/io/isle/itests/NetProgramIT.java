package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The program of nets in a booted platform: its file, roles, and the kernel's verdicts. */
@ExtendWith(Platform.class)
class NetProgramIT {
  @TempDir Path folder;

  /** A frame to a UDP port. */
  private Path frame(int port) throws Exception {
    byte[] frame = new byte[60];
    frame[12] = 8;
    frame[14] = 0x45;
    frame[23] = 17;
    frame[36] = (byte) (port >>> 8);
    frame[37] = (byte) port;
    return Files.write(folder.resolve("frame-" + port), frame);
  }

  private Path program(int map) {
    Path file = folder.resolve("redirect.bpf");
    String line = "net:program --ports 9000 --map-fd %d --out '%s'".formatted(map, file);
    Platform.sh(line, "--as", "manager").succeeded();
    return file;
  }

  @Test
  void aProgramIsWrittenByManagersAndListedByViewers() throws Exception {
    byte[] program = Files.readAllBytes(program(0));
    JsonNode lines =
        Platform.sh("net:program --ports 9000", "--json", "--as", "viewer").succeeded().json();
    StringBuilder bytes = new StringBuilder();
    lines.forEach(line -> bytes.append(line.get("bytes").asText()));
    assertEquals(HexFormat.of().formatHex(program), bytes.toString());
    Path other = folder.resolve("other.bpf");
    Platform.Result refused =
        Platform.sh("net:program --ports 9000 --out '" + other + "'", "--as", "viewer").failed(1);
    assertTrue(refused.err().contains("the role manager is needed"), refused.err());
    assertFalse(Files.exists(other));
  }

  @Test
  void theKernelGivesVerdictsWhichTheAuditLogHas() throws Exception {
    String files = "'" + frame(9000) + "' '" + frame(9001) + "'";
    // by its map, no other test has the same program
    Path program = program(4711);
    String line = "net:verdict --program '" + program + "' " + files;
    Platform.Result result = Platform.sh(line, "--json");
    assumeTrue(
        result.code() == 0 || !result.err().contains("CAP_BPF"), () -> "not here: " + result.err());
    JsonNode rows = result.succeeded().json();
    assertEquals("REDIRECT", rows.get(0).get("verdict").asText());
    assertEquals("PASS", rows.get(1).get("verdict").asText());
    Platform.sh(line + " --expect PASS").failed(1);
    String hash =
        HexFormat.of()
            .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(program)));
    JsonNode records = Platform.sh("audit:tail -n 50", "--json").succeeded().json();
    long loads = 0;
    for (JsonNode record : records) {
      boolean load = record.get("action").asText().equals("net.load-program");
      loads += load && record.get("detail").asText().contains(hash) ? 1 : 0;
    }
    assertEquals(2, loads);
  }
}
