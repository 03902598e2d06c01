package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Nets in a lab: frames come and go while bundles do. */
@ExtendWith(Platform.class)
class NetIT {
  private static final String LAB = "netit";
  private static final String NET = "netit";
  @TempDir Path folder;
  private String netns;

  @BeforeEach
  void makeALab() throws Exception {
    assumeTrue("root".equals(System.getProperty("user.name")), "network namespaces need root");
    JsonNode sides = Platform.sh("net:lab create " + LAB, "--json").succeeded().json();
    netns = sides.get(0).get("netns").asText();
    Platform.sh(
            "net:create "
                + NET
                + " interface=vb netns=lab:"
                + LAB
                + " rx_queue=512 tx_queue=256 app_frames=1024")
        .succeeded();
    Platform.sh("net:app-create " + NET + " kind=drop nets=" + NET + " ports=9000 depth=1024")
        .succeeded();
    Awaiting.await("the app runs", () -> app().get("running").asBoolean());
  }

  @AfterEach
  void takeItBack() throws Exception {
    if (netns != null) {
      Platform.sh("net:app-delete " + NET).succeeded();
      Platform.sh("net:delete " + NET).succeeded();
      Platform.sh("net:lab delete " + LAB).succeeded();
    }
  }

  private static JsonNode app() throws IOException {
    for (JsonNode app : apps()) {
      if (app.get("app").asText().equals(NET)) {
        return app;
      }
    }
    throw new AssertionError("no app " + NET);
  }

  private static JsonNode info() throws IOException {
    return Platform.sh("net:info " + NET, "--json").succeeded().json();
  }

  /** By the kernel of the other side. */
  private void send(int datagrams) throws Exception {
    String script =
        "for i in $(seq " + datagrams + "); do echo $i > /dev/udp/198.18.0.2/9000; done";
    Process process =
        new ProcessBuilder(List.of("nsenter", "--net=" + netns, "bash", "-c", script))
            .inheritIO()
            .start();
    assertEquals(0, process.waitFor());
  }

  @Test
  void everyFrameIsCountedOnceWhileBundlesAreRestarted() throws Exception {
    send(100);
    Awaiting.await("100 frames", () -> app().get("received").asLong() == 100);
    Platform.sh("bundle:restart io.isle.net.tile").succeeded();
    send(100);
    Awaiting.await("200 frames", () -> app().get("received").asLong() == 200);
    Platform.sh("net:reload " + NET).succeeded();
    send(100);
    Awaiting.await("300 frames", () -> app().get("received").asLong() == 300);
    JsonNode info = info();
    assertEquals("running", info.get("state").asText());
    assertEquals(300, info.get("seen").asLong());
    assertEquals(300, info.get("passed").asLong());
    JsonNode tile = info.get("tiles").get(0);
    assertTrue(tile.get("opened").asLong() >= 3);
    assertEquals("", info.at("/wished/cpu").asText());
    assertEquals("[]", tile.get("cpu").toString());
    assertEquals(1, app().get("instances").asInt());
    Platform.sh("bundle:restart io.isle.net.apps").succeeded();
    Awaiting.await("the app runs again", () -> app().get("running").asBoolean());
    send(10);
    Awaiting.await("10 frames", () -> app().get("received").asLong() == 10);
  }

  /** As monitoring reads them, by the file and by the command. */
  @Test
  void countersAreMetrics() throws Exception {
    send(20);
    Awaiting.await("20 frames", () -> app().get("received").asLong() == 20);
    double passed = 0;
    for (JsonNode one : Platform.sh("metrics:list isle_net_rx_frames", "--json").json()) {
      JsonNode labels = one.get("labels");
      if (labels.get("net").asText().equals(NET)
          && labels.get("outcome").asText().equals("passed")) {
        passed += one.get("value").asDouble();
      }
    }
    assertEquals(20, passed);
    String line = "isle_net_rx_seen_total{net=\"" + NET + "\",tile=\"0\"} 20\n";
    String text = Platform.sh("metrics:list isle_net --text").succeeded().out();
    assertTrue(text.contains(line), text);
  }

  /** The kernel has the route meanwhile, and not afterwards. */
  @Test
  void generatedFramesLeaveAndAreCounted() throws Exception {
    Platform.sh("net:app-delete " + NET).succeeded();
    JsonNode sent = Platform.sh("net:pktgen " + NET + " --count 5000", "--json").succeeded().json();
    assertEquals(5000, sent.get("sent").asLong() + sent.at("/dropped/ring_full").asLong());
    assertTrue(sent.get("elapsed_ns").asLong() > 0, sent::toString);
    assertTrue(sent.get("rate").asDouble() > 0, sent::toString);
    Platform.Result refused =
        Platform.sh("net:pktgen " + NET + " --count 1 --fake-dst-ip 198.18.0.1").failed(1);
    assertTrue(refused.err().contains("198.18.0.1 is the address of a host"), refused.err());
    assertEquals(0, apps().size());
    String records = Platform.sh("audit:tail -n 50 --action net", "--json").succeeded().out();
    assertTrue(records.contains("net.app-start"), records);
    Platform.sh("net:app-create " + NET + " kind=drop nets=" + NET + " ports=9000 depth=1024")
        .succeeded();
  }

  @Test
  void framesAreCapturedWhileTheyAreCounted() throws Exception {
    Path file = folder.resolve("a capture.pcapng");
    CompletableFuture<Platform.Result> capture =
        CompletableFuture.supplyAsync(
            () ->
                Platform.sh("net:capture " + NET + " --out '" + file + "' --seconds 4", "--json"));
    Awaiting.await("the capture runs", () -> apps().toString().contains("capture-"));
    send(50);
    JsonNode captured = capture.get().succeeded().json().get(0);
    assertEquals(50, captured.get("frames").asLong());
    assertEquals(0, captured.get("lost").asLong());
    assertTrue(Files.size(file) > 50 * 60);
    assertEquals(1, apps().size());
  }

  private static JsonNode apps() throws IOException {
    return Platform.sh("net:apps", "--json").succeeded().json();
  }

  /** What outlives tiles ends with its bundle, and comes back by the settings. */
  @Test
  void aRestartOfTheOwnerEndsTheLab() throws Exception {
    Platform.sh("bundle:restart io.isle.net.xdp").succeeded();
    Awaiting.await("the net says why", () -> info().get("state").asText().equals("failed"));
    JsonNode failed = info();
    assertTrue(failed.get("reason").asText().contains("lab"), failed::toString);
    Platform.sh("net:lab create " + LAB).succeeded();
    Awaiting.await("the net runs", () -> info().get("state").asText().equals("running"));
    Awaiting.await("the app runs", () -> app().get("running").asBoolean());
  }
}
