package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The example of round trips to a host, to handlers and to both, on interfaces made for it. */
@Alone("the kernel's queue of frames that cross interfaces is one for all; full, it loses frames")
@ExtendWith(Platform.class)
class PingExampleIT {
  private static final boolean ROOT = "root".equals(System.getProperty("user.name"));
  private static final String EXAMPLE = Platform.root().resolve("examples/ping/job.yml").toString();

  @TempDir Path folder;

  @BeforeAll
  static void canBuild() throws Exception {
    HandlerDevice.add();
    HandlerDevice.remove();
  }

  @AfterEach
  void nothingRemains() throws IOException {
    assertEquals(
        List.of(), Platform.sh("net:lab list", "--json").succeeded().json().findValues("lab"));
    assertEquals(0, Platform.sh("spin:list", "--json").succeeded().json().size());
    assertEquals(0, Platform.sh("spin:contexts", "--json").succeeded().json().size());
  }

  private Platform.Result run(String... more) {
    Path table = folder.resolve("ping.csv");
    Path svg = folder.resolve("ping.svg");
    List<String> all =
        new ArrayList<>(
            List.of("run", EXAMPLE, "--json", "--set", "table=" + table, "--set", "svg=" + svg));
    all.addAll(List.of(more));
    return Platform.isle(all.toArray(String[]::new));
  }

  private void holds(Platform.Result result, int rows) throws IOException {
    JsonNode job = result.succeeded().json();
    for (JsonNode claim : job.get("claims")) {
      assertTrue(claim.get("holds").asBoolean(), claim::toString);
    }
    List<String> lines = Files.readAllLines(folder.resolve("ping.csv"));
    assertEquals(1 + rows, lines.size(), lines::toString);
    for (String line : lines.subList(1, lines.size())) {
      assertTrue(line.matches("(icmp|udp),(host|offloaded|both),[0-9,]+,0,0,0"), line);
    }
    assertTrue(Files.readString(folder.resolve("ping.svg")).contains("offloaded"));
  }

  @Test
  void eachRequestHasOneAnswerThroughALab() throws Exception {
    assumeTrue(ROOT, "network namespaces need root");
    Platform.Result result = run();
    holds(result, 30);
    assertTrue(result.err().contains("through a lab"), result::err);
    assertTrue(result.err().contains("icmp      both"), result::err);
  }

  @Test
  void eachRequestHasOneAnswerWithoutRoot() throws Exception {
    Platform.Result result = ROOT ? run("--set", "where=udp") : run();
    holds(result, 15);
    assertTrue(result.err().contains("a port of udp, without icmp"), result::err);
  }

  @Test
  void aJobThatIsCancelledLeavesNothing() throws Exception {
    String svg = "svg=" + folder.resolve("ping.svg");
    Call job =
        Platform.begin("run", EXAMPLE, "--set", "runs=1000", "--set", "pings=1000", "--set", svg);
    Awaiting.await(
        "the interface of the step",
        () -> Platform.sh("spin:list", "--json").succeeded().json().size() == 1);
    String id = "";
    for (JsonNode one : Platform.sh("job:list", "--json").succeeded().json()) {
      id = one.get("state").asText().equals("running") ? one.get("id").asText() : id;
    }
    Platform.sh("job:cancel " + id).succeeded();
    assertTrue(job.end().code() != 0);
    assertTrue(Files.notExists(folder.resolve("ping.svg")));
  }

  @Test
  void onlyAnAdminHasInterfacesMade() throws Exception {
    Path job =
        Files.writeString(
            folder.resolve("job.yml"),
            """
            job: mine
            device: spin0
            steps:
              - {name: go, spin-ping: {}}
            """);
    Platform.Result refused = Platform.sh("job:run '" + job + "'", "--as", "manager").failed(1);
    assertTrue(refused.err().contains("only an admin may run"), refused::err);
    Files.writeString(job, "job: a\nsteps:\n  - {name: go, spin-ping: {sizes: 16 7}}\n");
    Platform.Result wrong = Platform.isle("run", job.toString()).failed(2);
    assertTrue(wrong.err().contains(":3:"), wrong::err);
    assertTrue(wrong.err().contains("'7'; 1 to 8 different sizes of 8 to 1472"), wrong::err);
  }
}
