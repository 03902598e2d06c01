package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Screens of a display in software, in a process of its own. */
@ExtendWith(Platform.class)
class DisplayIT {
  private static final Map<String, String> LOOKING =
      Map.of(
          "display:list", "display7", "display:modes", "display7 1", "display:edid", "display7 1");

  @TempDir Path folder;

  @BeforeEach
  void plugIn() throws Exception {
    Devices.configure(
        "display7",
        "driver = display",
        "tier = 2",
        "compute_units = 1",
        "fault_injection = true",
        "screens = hdmi:svga,-vga:xga");
    Devices.awaitState("display7", "active");
  }

  @AfterEach
  void pullOut() throws Exception {
    Files.deleteIfExists(Devices.settings("display7"));
    Awaiting.await("display7 is gone", () -> !Devices.exists("display7"));
  }

  private Map<String, String> doing() {
    return Map.of(
        "display:set",
        "display7 1 preferred",
        "display:flip",
        "display7 1 --color 336699",
        "display:save",
        "display7 1 '" + folder.resolve("screen.png") + "'");
  }

  @Test
  void theCommandsAreAllHere() {
    Set<String> all = new TreeSet<>();
    Matcher found =
        Pattern.compile("display:[a-z-]+").matcher(Platform.sh("help display").succeeded().out());
    while (found.find()) {
      all.add(found.group());
    }
    Set<String> known = new TreeSet<>(LOOKING.keySet());
    known.addAll(doing().keySet());
    assertEquals(known, all);
  }

  @Test
  void aPictureIsShownAndSaved() throws IOException {
    assertEquals("vga", connector(2).get("type").asText());
    assertFalse(connector(2).get("connected").asBoolean());
    JsonNode set = json("display:set display7 1 800x600@60");
    assertEquals("800x600@60.317", set.get("mode").asText());
    assertTrue(set.get("active").asBoolean());
    JsonNode flip = json("display:flip display7 1 --color 336699");
    assertEquals(1, flip.get("point").asInt());
    assertEquals(1, connector(1).get("point").asInt());
    assertTrue(flip.get("flip_ns").asLong() > 0);
    BufferedImage saved = save();
    assertEquals(800, saved.getWidth());
    assertEquals(0x336699, saved.getRGB(799, 599) & 0xffffff);
    assertEquals(2, json("display:flip display7 1").get("point").asInt());
    BufferedImage bars = save();
    assertEquals(0xffffff, bars.getRGB(0, 0) & 0xffffff);
    assertEquals(0, bars.getRGB(799, 0) & 0xffffff);
    json("display:set display7 1 --dpms off");
    assertEquals(0, save().getRGB(0, 0) & 0xffffff, "a screen that is off is black");
  }

  @Test
  void aPictureOutlivesACrashOfTheDriver() throws Exception {
    json("display:set display7 1 640x480");
    json("display:flip display7 1 --color 884422");
    int epoch = Devices.info("display7").get("epoch").asInt();
    Platform.sh("driver:crash display7 kill").succeeded();
    awaitNext(epoch);
    isShownAgain();
    assertEquals(2, json("display:flip display7 1 --color 000001").get("point").asInt());
  }

  @ParameterizedTest
  @ValueSource(strings = {"io.isle.drivers.display", "io.isle.core.drivers"})
  void aPictureOutlivesARestartOfItsDriver(String bundle) throws Exception {
    json("display:set display7 1 640x480");
    json("display:flip display7 1 --color 884422");
    for (String how : new String[] {"restart", "update"}) {
      Platform.sh("bundle:" + how + " " + bundle).succeeded();
      Devices.awaitState("display7", "active");
      isShownAgain();
    }
    assertEquals(2, json("display:flip display7 1 --color 000001").get("point").asInt());
  }

  @Test
  void aRestartOfTheOwnerOfDisplaysIsSeenByNobodyAndItsScreensOutliveTheNextCrash()
      throws Exception {
    json("display:set display7 1 640x480");
    json("display:flip display7 1 --color 884422");
    int epoch = Devices.info("display7").get("epoch").asInt();
    Devices.awaitState("soft0", "active");
    byte[] bytes = Blocks.random(3 * Blocks.BLOCK);
    Path output = folder.resolve("output");
    Call job;
    try (Feed input = Feed.create(folder.resolve("input"))) {
      job =
          Platform.begin(
              "run",
              Blocks.jobOn("soft0", folder).toString(),
              "--set",
              "input=" + input.path(),
              "--set",
              "output=" + output,
              "--json");
      input.give(Arrays.copyOf(bytes, Blocks.BLOCK));
      for (String how : new String[] {"restart", "update"}) {
        Platform.sh("bundle:" + how + " io.isle.core.display").succeeded();
        awaitDisplays();
        isShownAgain();
        assertEquals(epoch, Devices.info("display7").get("epoch").asInt(), "the driver goes on");
      }
      input.give(Arrays.copyOfRange(bytes, Blocks.BLOCK, bytes.length));
    }
    JsonNode result = job.end().succeeded().json();
    assertEquals(Blocks.expected(bytes), Files.readAllLines(output));
    assertEquals(0, result.get("recoveries").asInt());
    assertEquals(2, json("display:flip display7 1 --color 226688").get("point").asInt());
    Platform.sh("bundle:restart io.isle.core.display").succeeded();
    awaitDisplays();
    Platform.sh("driver:crash display7 kill").succeeded();
    awaitNext(epoch);
    isShownAgain(0x226688);
    assertEquals(3, json("display:flip display7 1 --color 000001").get("point").asInt());
  }

  @Test
  void aCrashWhileDisplaysHaveNoOwnerIsMadeGoodByTheNext() throws Exception {
    json("display:set display7 1 640x480");
    json("display:flip display7 1 --color 884422");
    int epoch = Devices.info("display7").get("epoch").asInt();
    Platform.sh("bundle:stop io.isle.core.display").succeeded();
    try {
      Platform.sh("display:flip display7 1").failed(1);
      Platform.sh("driver:crash display7 kill").succeeded();
      awaitNext(epoch);
    } finally {
      Platform.sh("bundle:start io.isle.core.display").succeeded();
    }
    awaitDisplays();
    isShownAgain();
    assertEquals(2, json("display:flip display7 1 --color 000001").get("point").asInt());
  }

  /** The owner of displays has heard of the device. */
  private static void awaitDisplays() throws InterruptedException {
    Awaiting.await(
        "the displays are back",
        () -> {
          Platform.Result listed = Platform.sh("display:list display7", "--json");
          return listed.code() == 0 && listed.json().size() == 2;
        });
  }

  private static void awaitNext(int epoch) throws InterruptedException {
    Awaiting.await(
        "display7 is back",
        () ->
            Devices.info("display7").get("epoch").asInt() > epoch
                && Devices.info("display7").get("state").asText().equals("active"));
  }

  private void isShownAgain() throws Exception {
    isShownAgain(0x884422);
  }

  private void isShownAgain(int colour) throws Exception {
    Awaiting.await("the picture is shown again", () -> !connector(1).get("pending").asBoolean());
    assertEquals("640x480@59.940", connector(1).get("mode").asText());
    assertEquals(colour, save().getRGB(320, 240) & 0xffffff);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"io.isle.core.accel", "io.isle.core.tenancy", "io.isle.faces.shell.display"})
  void afterARestartOfWhoOwnsThePictureTheNextIsShown(String bundle) throws Exception {
    json("display:set display7 1 640x480");
    json("display:flip display7 1 --color 884422");
    Platform.sh("bundle:restart " + bundle).succeeded();
    Devices.awaitState("display7", "active");
    Awaiting.await(
        "the commands are back", () -> Platform.sh("display:set display7 1 640x480").code() == 0);
    json("display:flip display7 1 --color 336699");
    assertEquals(0x336699, save().getRGB(320, 240) & 0xffffff);
  }

  @Test
  void aScreenThatIsPulledOutTakesItsModeAlong() throws IOException {
    json("display:set display7 1 preferred");
    json("accel:inject-fault display7 hotplug --value 1");
    JsonNode row = connector(1);
    assertFalse(row.get("connected").asBoolean());
    assertTrue(row.get("mode").isNull());
    assertEquals(1, row.get("hotplugs").asInt());
    assertEquals(0, json("display:modes display7 1").size());
    Platform.sh("display:set display7 1 preferred").failed(1);
    Platform.sh("display:flip display7 1").failed(1);
    json("accel:inject-fault display7 hotplug --value 1");
    json("display:set display7 1 preferred");
  }

  @Test
  void aViewerLooksAndAnAdministratorDoes() throws IOException {
    for (Map.Entry<String, String> command : LOOKING.entrySet()) {
      String line = command.getKey() + " " + command.getValue();
      assertEquals(command.getKey().equals("display:edid"), json(line).isObject(), line);
      assertTrue(Platform.sh(line).succeeded().out().length() > 1, line);
      Platform.sh(line, "--as", "viewer").succeeded();
    }
    for (Map.Entry<String, String> command : doing().entrySet()) {
      String line = command.getKey() + " " + command.getValue();
      for (String role : new String[] {"viewer", "manager"}) {
        Platform.Result refused = Platform.sh(line, "--as", role).failed(1);
        assertTrue(refused.err().contains("your role may not run it"), refused.err());
      }
    }
    for (String name : new String[] {"display:set", "display:flip", "display:save"}) {
      assertTrue(json(name + " " + doing().get(name)).isObject(), name);
    }
    JsonNode audit = json("audit:tail -n 50");
    assertTrue(audit.toString().contains("display.set-mode"), audit::toString);
    assertTrue(audit.toString().contains("display.capture"), audit::toString);
  }

  @ParameterizedTest
  @CsvSource({
    "display:set display7 1, 2",
    "display:set display7 1 large, 2",
    "display:set display7 1 801x600, 1",
    "display:set display7 9 preferred, 1",
    "display:set soft0 1 preferred, 1",
    "display:set display7 1 --vrr on, 1",
    "display:set display7 1 --dpms asleep, 2",
    "display:list nothing9, 1",
    "display:edid display7 2, 1",
    "display:modes nothing9 1, 1",
    "display:modes display7 one, 2",
    "display:flip display7 1 --color red, 2",
    "display:flip display7 1 --image missing.png, 1",
    "display:save display7 2 x.png, 1"
  })
  void failuresHaveTheirCodeAndAReasonOnStandardErrorOnly(String command, int code) {
    Platform.Result result = Platform.sh(command).failed(code);
    assertEquals("", result.out());
    assertFalse(result.err().isBlank());
  }

  private static JsonNode json(String command) throws IOException {
    return Platform.sh(command, "--json").succeeded().json();
  }

  private static JsonNode connector(int number) throws IOException {
    return json("display:list display7").get(number - 1);
  }

  private BufferedImage save() throws IOException {
    Path file = folder.resolve("screen.png");
    json("display:save display7 1 '" + file + "'");
    return ImageIO.read(file.toFile());
  }
}
