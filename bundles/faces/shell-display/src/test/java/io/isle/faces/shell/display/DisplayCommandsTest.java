package io.isle.faces.shell.display;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import io.isle.api.device.DeviceState;
import io.isle.api.device.DeviceTree;
import io.isle.api.display.DisplayAdmin;
import io.isle.api.display.Displays;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.testing.FakeDevices;
import io.isle.faces.shell.testing.FakeServices;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DisplayCommandsTest {
  @TempDir Path folder;
  private final FakeScreens device = new FakeScreens();
  private final FakeServices services =
      new FakeServices()
          .add(DisplayAdmin.class, device.admin())
          .add(Screens.class, device.screens())
          .add(
              DeviceTree.class,
              new FakeDevices()
                  .add("display0", DeviceState.ACTIVE, "", null)
                  .add("soft0", DeviceState.ACTIVE, "", null));

  @Test
  void listHasTheAgreedShape() {
    device.mode = FakeScreens.SMALL;
    assertEquals(
        "[{\"device\":\"display0\",\"connector\":1,\"type\":\"hdmi\",\"connected\":true,"
            + "\"active\":true,\"mode\":\"16x4@59.940\",\"dpms\":\"on\",\"vrr\":false,"
            + "\"vrr_min_millihz\":48000,\"vrr_max_millihz\":144000,\"point\":0,\"frames\":6,"
            + "\"flip_ns\":5,\"frame_ns\":7,\"pending\":false,\"cursor\":false,"
            + "\"hotplugs\":3,\"max_width\":32,\"max_height\":8}",
        services.run(new ListCommand(), true).split("\\},")[0] + "}");
    String table = services.run(new ListCommand().of("display0"), false);
    assertTrue(table.contains("48 Hz") && table.contains("vga"), table);
    assertEquals("[]\n", services.run(new ListCommand().of("soft0"), true));
    assertEquals(1, status(new ListCommand().of("soft7")));
  }

  @Test
  void edidTellsWhatTheScreenSays() {
    assertEquals(
        "{\"maker\":\"ISL\",\"product\":0,\"serial\":0,\"year\":1990,\"version\":\"1.4\","
            + "\"name\":\"ISLE\",\"digital\":false,\"width_mm\":0,\"height_mm\":0,\"modes\":[],"
            + "\"min_hz\":null,\"max_hz\":null,\"extensions\":0}\n",
        services.run(new EdidCommand().of("display0", 1), true));
    String text = services.run(new EdidCommand().of("display0", 1), false);
    assertTrue(text.contains("maker       ISL\n") && text.contains("min hz      -\n"), text);
  }

  @Test
  void modesSayWhichIsSet() {
    device.mode = FakeScreens.SLOW;
    String json = services.run(new ModesCommand().of("display0", 1), true);
    assertEquals(3, json.split("\"clock_khz\"", -1).length - 1);
    assertTrue(json.contains("\"vbp\":1,\"preferred\":true,\"current\":true}"), json);
    assertTrue(json.contains("\"preferred\":false,\"current\":false}"), json);
    ShellException unknown =
        assertThrows(
            ShellException.class, () -> services.run(new ModesCommand().of("display0", 3), true));
    assertTrue(
        unknown.getMessage().contains("the connectors of open devices are display0 1, display0 2"));
  }

  @Test
  void modesAreNamedAsPeopleDo() {
    assertEquals(FakeScreens.SLOW, ModeChoice.of("preferred", FakeScreens.MODES));
    assertEquals(FakeScreens.FAST, ModeChoice.of("32x8", FakeScreens.MODES));
    assertEquals(FakeScreens.SLOW, ModeChoice.of("32x8@60.4", FakeScreens.MODES));
    assertEquals(FakeScreens.SMALL, ModeChoice.of("16x4@60", FakeScreens.MODES));
    for (String none : List.of("32x8@61", "33x8", "16x4@59.4")) {
      ShellException thrown =
          assertThrows(ShellException.class, () -> ModeChoice.of(none, FakeScreens.MODES));
      assertEquals(1, thrown.exitStatus());
      assertTrue(thrown.getMessage().endsWith("32x8@144.000, 32x8@60.000, 16x4@59.940"));
    }
    for (String bad : List.of("", "32", "32x", "0x8", "32x8@", "32x8@60.0001", "-1x8", "32X8")) {
      assertEquals(
          2,
          assertThrows(ShellException.class, () -> ModeChoice.of(bad, FakeScreens.MODES))
              .exitStatus(),
          bad);
    }
    assertThrows(ShellException.class, () -> ModeChoice.of("preferred", List.of()));
  }

  @Test
  void setChangesWhatItIsGiven() {
    String json = services.run(set("preferred", "standby", "on"), true);
    assertEquals(List.of("mode 32x8@60.000", "vrr true", "dpms standby"), device.asked);
    assertTrue(json.startsWith("{\"device\":\"display0\",\"connector\":1,"), json);
    assertEquals(2, status(set(null, null, null)));
    assertEquals(2, status(set(null, "asleep", null)));
    assertEquals(2, status(set(null, null, "yes")));
    assertEquals(1, status(set("640x480", null, null)));
    assertEquals(3, device.asked.size());
  }

  @Test
  void aFlipShowsBarsOrAColour() {
    device.mode = FakeScreens.SMALL;
    String json = services.run(flip(null, null), true);
    assertEquals(
        "{\"device\":\"display0\",\"connector\":1,\"point\":1,\"width\":16,\"height\":4,"
            + "\"flip_ns\":5}\n",
        json);
    int[] bars = {0xffffff, 0xffff00, 0x00ffff, 0x00ff00, 0xff00ff, 0xff0000, 0x0000ff, 0};
    for (int x = 0; x < 16; x++) {
      assertEquals(bars[x / 2], device.shownPixel(x, 3), "column " + x);
    }
    String text = services.run(flip("336699", null), false);
    assertEquals("display0 connector 1 shows the picture: point 2\n", text);
    assertEquals(0x336699, device.shownPixel(15, 0));
    assertEquals(List.of("flip", "flip", "close"), device.asked, "the picture before is freed");
    assertEquals(1, device.contexts);
    device.busy = 3;
    assertTrue(services.run(flip("336699", null), true).contains("\"point\":3"), "it waits");
    assertEquals(2, status(flip("red", null)));
    assertEquals(2, status(flip("336699", "x.png")));
  }

  @Test
  void aFlipThatIsNotShownIsAFailureAndFreesItsMemory() {
    assertEquals(1, status(flip(null, null)), "no mode");
    device.mode = FakeScreens.SMALL;
    device.awaited = -Errno.ETIME;
    AccelException thrown =
        assertThrows(AccelException.class, () -> services.run(flip(null, null), true));
    assertEquals(Errno.ETIME, thrown.code());
    assertEquals(List.of("flip", "close"), device.asked);
    device.awaited = -Errno.EINTR;
    assertTrue(services.run(flip(null, null), true).contains("\"point\":2"), "a recovery");
  }

  @Test
  void picturesStayWhileTheOwnerOfDisplaysRestarts() {
    device.mode = FakeScreens.SMALL;
    Displays before = device.displays();
    Screens screens = device.screens();
    screens.bind(before);
    FakeServices own = new FakeServices().add(Screens.class, screens);
    device.awaited = -Errno.ECLOSED;
    assertTrue(own.run(flip("336699", null), true).contains("\"point\":1"), "it is shown");
    screens.unbind(before);
    ShellException away = assertThrows(ShellException.class, () -> own.run(flip(null, null), true));
    assertEquals(1, away.exitStatus());
    assertTrue(away.getMessage().contains("Displays"), away.getMessage());
    assertEquals(List.of("flip"), device.asked, "nothing is freed");
    Displays next = device.displays();
    screens.bind(next);
    screens.unbind(before);
    assertTrue(own.run(flip(null, null), true).contains("\"point\":2"));
    assertEquals(1, device.contexts);
  }

  @Test
  void picturesGoToAFileAndBack() throws IOException {
    device.mode = FakeScreens.SMALL;
    String ignored = services.run(flip(null, null), true);
    Path file = folder.resolve("screen.png");
    Files.writeString(file, "old");
    String json = services.run(new SaveCommand().of("display0", 1, file.toString()), true);
    assertTrue(json.contains("\"width\":16,\"height\":4,\"file\":\"" + file), json);
    BufferedImage saved = ImageIO.read(file.toFile());
    assertEquals(0xffff00, saved.getRGB(2, 1) & 0xffffff);
    assertEquals(1, folder.toFile().list().length, "nothing stays beside it");
    device.mode = FakeScreens.SLOW;
    ignored = services.run(flip(null, file.toString()), true);
    assertEquals(0, device.shownPixel(7, 2));
    assertEquals(0xffffff, device.shownPixel(8, 2), "in the middle");
    assertEquals(0, device.shownPixel(8, 1));
    BufferedImage half = new BufferedImage(32, 8, BufferedImage.TYPE_INT_ARGB);
    half.setRGB(3, 4, 0x80ff8000);
    assertTrue(ImageIO.write(half, "png", file.toFile()));
    ignored = services.run(flip(null, file.toString()), true);
    assertEquals(0x804000, device.shownPixel(3, 4), "over black");
  }

  @Test
  void aDirectoryIsNotReplacedByAPicture() throws IOException {
    device.mode = FakeScreens.SMALL;
    Path directory = Files.createDirectory(folder.resolve("screen.png"));
    assertEquals(1, status(new SaveCommand().of("display0", 1, directory.toString())));
    assertEquals(1, status(new SaveCommand().of("display0", 1, "/")));
    assertTrue(Files.isDirectory(directory));
    assertEquals(1, folder.toFile().list().length, "nothing stays beside it");
  }

  @Test
  void filesThatCannotBeAreNamed() throws IOException {
    device.mode = FakeScreens.SMALL;
    Path text = Files.writeString(folder.resolve("text.png"), "no picture");
    for (String file :
        List.of(text.toString(), folder.resolve("missing.png").toString(), folder.toString())) {
      ShellException thrown =
          assertThrows(ShellException.class, () -> services.run(flip(null, file), true));
      assertTrue(thrown.getMessage().startsWith(file), thrown.getMessage());
    }
    Path large = folder.resolve("large.png");
    assertTrue(
        ImageIO.write(new BufferedImage(17, 4, BufferedImage.TYPE_INT_RGB), "png", large.toFile()));
    ShellException thrown =
        assertThrows(ShellException.class, () -> services.run(flip(null, large.toString()), true));
    assertTrue(thrown.getMessage().contains("17 x 4 pixels, more than the mode's 16 x 4"));
    Path nowhere = folder.resolve("no/such/folder.png");
    assertEquals(1, status(new SaveCommand().of("display0", 1, nowhere.toString())));
    assertFalse(Files.exists(nowhere));
    assertEquals(2, status(new SaveCommand().of("display0", 1, "a\0b")));
  }

  @Test
  void argumentsAreCompleted() {
    assertEquals(List.of("display0"), new DeviceCompleter().ids(services));
    assertEquals(List.of("1", "2"), new ConnectorCompleter().ids(services));
    assertEquals(
        List.of("preferred", "32x8@144.000", "32x8@60.000", "16x4@59.940"),
        new ModeCompleter().ids(services));
    assertEquals(List.of(), new DeviceCompleter().ids(new FakeServices()));
    assertEquals(
        List.of("on", "standby", "suspend", "off"), new PowerCompleter().ids(new FakeServices()));
    assertEquals(List.of("on", "off"), new SwitchCompleter().ids(new FakeServices()));
  }

  private static SetCommand set(String mode, String dpms, String vrr) {
    return new SetCommand().of("display0", 1, mode, dpms, vrr);
  }

  private static FlipCommand flip(String color, String image) {
    return new FlipCommand().of("display0", 1, color, image);
  }

  private int status(IsleCommand command) {
    return assertThrows(ShellException.class, () -> services.run(command, true)).exitStatus();
  }
}
