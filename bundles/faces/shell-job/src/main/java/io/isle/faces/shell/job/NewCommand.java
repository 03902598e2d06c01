package io.isle.faces.shell.job;

import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.Table;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code job:new}. */
@Service
@Command(
    scope = "job",
    name = "new",
    description =
        "Writes a commented job file from a template; without arguments, lists the templates")
@RequiredRole(value = Role.MANAGER, reason = "The command writes a file as the platform's user.")
public final class NewCommand extends IsleCommand {
  private static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}";

  @Argument(
      name = "name",
      description = "Name of the job; the file is NAME.yml in the directory of the caller")
  private String name;

  @Argument(index = 1, name = "template", description = "Name of the template")
  @Completion(TemplateCompleter.class)
  private String template;

  private Path directory;

  @Override
  protected void run(Output output) {
    if (name == null) {
      output.table(
          new Table<Templates.Template>("")
              .column("template", Templates.Template::name)
              .column("description", Templates.Template::description),
          Templates.all());
      return;
    }
    if (!name.matches(NAME)) {
      throw ShellException.usage(
          "'"
              + name
              + "' is not a job's name: 1 to 64 letters, digits, '.', '_' or '-' are needed");
    }
    if (template == null) {
      throw ShellException.usage(
          "a template is needed; the templates are " + String.join(", ", Templates.names()));
    }
    String text = Templates.text(template, name);
    Path folder = directory == null ? Caller.of(session()).directory() : directory;
    Path file = folder.resolve(name + ".yml");
    Path kernel = folder.resolve(name + ".cl");
    Optional<String> source = Templates.kernel(template);
    if (Files.exists(file)) {
      throw isThere(file);
    }
    source.ifPresent(lines -> write(kernel, lines));
    write(file, text);
    if (output.json()) {
      Map<String, Object> document = new LinkedHashMap<>();
      document.put("file", file.toString());
      document.put("template", template);
      document.put("kernel", source.isPresent() ? kernel.toString() : null);
      output.document(document);
    } else {
      output.line("Wrote " + file + (source.isPresent() ? " and " + kernel : "") + ".");
    }
  }

  /** What is there stays there. */
  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    } catch (FileAlreadyExistsException e) {
      throw isThere(file);
    } catch (IOException e) {
      throw ShellException.failed(file + " cannot be written: " + e);
    }
  }

  private static ShellException isThere(Path file) {
    return ShellException.failed(file + " exists already; give the job another name");
  }

  /** For tests: as if called from there. */
  NewCommand in(Path folder) {
    directory = folder;
    return this;
  }

  /** For tests. */
  NewCommand of(String job, String from) {
    name = job;
    template = from;
    return this;
  }
}
