package io.isle.faces.shell.display;

import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.ShellException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.support.completers.FileCompleter;

/** {@code display:flip}. */
@Service
@Command(
    scope = "display",
    name = "flip",
    description =
        "Shows a picture on a screen from the next frame on: colour bars, one colour or a PNG"
            + " file; the picture survives a crash of the driver")
@RequiredRole(
    value = Role.ADMIN,
    reason = "Only administrators control screens and read their pictures.")
public final class FlipCommand extends ConnectorCommand {
  @Option(name = "--color", description = "Colour of the whole screen: RRGGBB, hexadecimal")
  private String color;

  @Option(
      name = "--image",
      description =
          "PNG file, at most as large as the mode, shown in the middle of a black screen; a"
              + " relative path starts at the caller's directory")
  @Completion(FileCompleter.class)
  private String image;

  @Override
  protected void run(Output output) {
    Painting painting = painting();
    Screens.Shown shown =
        services().with(Screens.class, screens -> screens.show(device(), connector(), painting));
    if (output.json()) {
      Map<String, Object> result = new LinkedHashMap<>();
      result.put("device", device());
      result.put("connector", connector());
      result.put("point", shown.point());
      result.put("width", shown.width());
      result.put("height", shown.height());
      result.put("flip_ns", shown.flipNs());
      output.document(result);
    } else {
      output.line(
          device() + " connector " + connector() + " shows the picture: point " + shown.point());
    }
  }

  private Painting painting() {
    if (color != null && image != null) {
      throw ShellException.usage("--color and --image exclude each other; give one of them");
    }
    if (image != null) {
      return Png.of(Paths.of(session(), image));
    }
    if (color == null) {
      return Painting.BARS;
    }
    if (!color.matches("[0-9a-fA-F]{6}")) {
      throw ShellException.usage("--color '" + color + "' is not six hexadecimal digits");
    }
    return Painting.of(Integer.parseInt(color, 16));
  }

  /** For tests. */
  FlipCommand of(String id, int number, String rgb, String file) {
    on(id, number);
    color = rgb;
    image = file;
    return this;
  }
}
