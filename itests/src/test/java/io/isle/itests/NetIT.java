package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Nets in a lab: frames come and go while bundles do. */
@ExtendWith(Platform.class)
class NetIT {
  private static final String LAB = "netit";
  private static final String NET = "netit";
  private String netns;

  @BeforeEach
  void makeALab() {
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
  void takeItBack() {
    if (netns != null) {
      Platform.sh("net:app-delete " + NET).succeeded();
      Platform.sh("net:delete " + NET).succeeded();
      Platform.sh("net:lab delete " + LAB).succeeded();
    }
  }

  private static JsonNode app() {
    for (JsonNode app : Platform.sh("net:apps", "--json").succeeded().json()) {
      if (app.get("app").asText().equals(NET)) {
        return app;
      }
    }
    throw new AssertionError("no app " + NET);
  }

  private static JsonNode info() {
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
    assertTrue(info.get("tiles").get(0).get("opened").asLong() >= 3);
    Platform.sh("bundle:restart io.isle.net.apps").succeeded();
    Awaiting.await("the app runs again", () -> app().get("running").asBoolean());
    send(10);
    Awaiting.await("10 frames", () -> app().get("received").asLong() == 10);
  }

  /** What outlives tiles ends with its bundle, and comes back by the settings. */
  @Test
  void aRestartOfTheOwnerEndsTheLab() {
    Platform.sh("bundle:restart io.isle.net.xdp").succeeded();
    Awaiting.await("the net says why", () -> info().get("state").asText().equals("failed"));
    assertTrue(info().get("reason").asText().contains("lab"), () -> info().toString());
    Platform.sh("net:lab create " + LAB).succeeded();
    Awaiting.await("the net runs", () -> info().get("state").asText().equals("running"));
    Awaiting.await("the app runs", () -> app().get("running").asBoolean());
  }
}
