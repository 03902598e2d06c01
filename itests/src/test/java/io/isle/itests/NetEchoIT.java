package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The example of a file that goes through an echo app and tiles while these are updated. */
@Alone("the kernel's queue of frames that cross interfaces is one for all; full, it loses frames")
@ExtendWith(Platform.class)
class NetEchoIT {
  private static final String EXAMPLE =
      Platform.root().resolve("examples/net-echo/job.yml").toString();

  @TempDir Path folder;

  private static void needsRoot() {
    assumeTrue("root".equals(System.getProperty("user.name")), "network namespaces need root");
  }

  @Test
  void theFileComesBackAndNoDatagramIsSentAgain() throws Exception {
    needsRoot();
    byte[] bytes = Blocks.random(3_000_001);
    Path input = Files.write(folder.resolve("a file"), bytes);
    Path output = folder.resolve("out");
    Path capture = folder.resolve("net.pcapng");
    Platform.Result result =
        Platform.isle(
            "run",
            EXAMPLE,
            "--set",
            "input=" + input,
            "--set",
            "output=" + output,
            "--set",
            "capture=" + capture,
            "--json");
    JsonNode job = result.succeeded().json();
    assertArrayEquals(bytes, Files.readAllBytes(output));
    for (JsonNode claim : job.get("claims")) {
      assertTrue(claim.get("holds").asBoolean(), claim::toString);
    }
    assertEquals(List.of(), Platform.sh("net:list", "--json").succeeded().json().findValues("net"));
    assertEquals(
        List.of(), Platform.sh("net:lab list", "--json").succeeded().json().findValues("lab"));
    String printed = result.err();
    assertTrue(printed.contains("MB/s, longest gap "), printed);
    assertTrue(printed.contains("each once in each direction"), printed);
    tcpdumpReads(capture, printed);
  }

  /** Both directions of each datagram. */
  private static void tcpdumpReads(Path capture, String printed)
      throws IOException, InterruptedException {
    if (!Files.isExecutable(Path.of("/usr/bin/tcpdump"))) {
      System.err.println("tcpdump is not installed: the capture is read by Isle alone");
      return;
    }
    Process tcpdump =
        new ProcessBuilder("/usr/bin/tcpdump", "-n", "-r", capture.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    long lines =
        new String(tcpdump.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines().count();
    assertEquals(0, tcpdump.waitFor());
    assertTrue(printed.contains("captured " + lines + " frames"), printed);
  }

  @Test
  void aStepNeedsANetOfTheJob() throws Exception {
    Path job =
        Files.writeString(
            folder.resolve("job.yml"),
            """
            job: lost
            steps:
              - {name: go, echo: {net: nowhere, file: job.yml}}
            """);
    Platform.Result result = Platform.isle("run", job.toString()).failed(1);
    assertTrue(result.err().contains("has no 'nowhere'"), result::err);
  }
}
