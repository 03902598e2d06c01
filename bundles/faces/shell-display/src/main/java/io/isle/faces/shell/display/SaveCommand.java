package io.isle.faces.shell.display;

import io.isle.api.display.Picture;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.support.completers.FileCompleter;

/** {@code display:save}. */
@Service
@Command(
    scope = "display",
    name = "save",
    description = "Saves the current picture of a screen, with its cursor, as a PNG file")
@RequiredRole(
    value = Role.ADMIN,
    reason = "Only administrators control screens and read their pictures.")
public final class SaveCommand extends ConnectorCommand {
  @Argument(
      index = 2,
      name = "file",
      description =
          "File to write; an existing file is replaced; a relative path starts at the caller's"
              + " directory",
      required = true)
  @Completion(FileCompleter.class)
  private String file;

  @Override
  protected void run(Output output) {
    Path path = Paths.of(session(), file);
    Picture picture =
        services().with(Screens.class, screens -> screens.of(device()).capture(connector()));
    Png.write(picture, path);
    if (output.json()) {
      Map<String, Object> result = new LinkedHashMap<>();
      result.put("device", device());
      result.put("connector", connector());
      result.put("point", picture.point());
      result.put("width", picture.width());
      result.put("height", picture.height());
      result.put("file", path.toString());
      output.document(result);
    } else {
      output.line(path + " has " + picture.width() + " x " + picture.height() + " pixels");
    }
  }

  /** For tests. */
  SaveCommand of(String id, int number, String to) {
    on(id, number);
    file = to;
    return this;
  }
}
