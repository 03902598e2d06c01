package io.isle.faces.shell.job;

import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.Table;
import io.isle.faces.shell.program.KernelJob;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.support.completers.FileCompleter;

/** {@code job:new}. */
@Service
@Command(
    scope = "job",
    name = "new",
    description =
        "Writes a commented job file from a template, or for a kernel; without arguments, lists the"
            + " templates")
@RequiredRole(
    value = Role.MANAGER,
    reason = "The command writes a file as the platform's user, and reads kernels.")
public final class NewCommand extends IsleCommand {
  private static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}";

  @Argument(
      name = "name",
      description = "Name of the job; the file is NAME.yml in the directory of the caller")
  private String name;

  @Argument(index = 1, name = "template", description = "Name of the template")
  @Completion(TemplateCompleter.class)
  private String template;

  @Option(
      name = "--from",
      description =
          "Instead of a template: FILE.cl or FILE.cl:KERNEL, an OpenCL C file in the directory of"
              + " the caller or below")
  @Completion(FileCompleter.class)
  private String from;

  @Option(name = "--options", description = "With --from: options for the compiler")
  private String options = "";

  @Option(
      name = "--include",
      description = "With --from: header that the file includes; may be given several times",
      multiValued = true)
  @Completion(FileCompleter.class)
  private List<String> include;

  @Option(
      name = "--device",
      description =
          "With --from: id of the device that describes the kernel; the first device that accepts"
              + " OpenCL C if left out")
  @Completion(OpenClDeviceCompleter.class)
  private String device;

  private Path directory;

  @Override
  protected void run(Output output) {
    if (from != null) {
      fromKernel(output);
      return;
    }
    if (name == null) {
      output.table(
          new Table<Templates.Template>("")
              .column("template", Templates.Template::name)
              .column("description", Templates.Template::description),
          Templates.all());
      return;
    }
    checkName(name);
    if (template == null) {
      throw ShellException.usage(
          "a template is needed; the templates are " + String.join(", ", Templates.names()));
    }
    String text = Templates.text(template, name);
    Path folder = folder();
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

  private Path folder() {
    return directory == null ? Caller.of(session()).directory() : directory;
  }

  private static void checkName(String name) {
    if (!name.matches(NAME)) {
      throw ShellException.usage(
          "'"
              + name
              + "' is not a job's name: 1 to 64 letters, digits, '.', '_' or '-' are needed");
    }
  }

  private void fromKernel(Output output) {
    if (template != null) {
      throw ShellException.usage("--from is instead of a template; give one of both");
    }
    Path folder = folder();
    KernelJob kernel =
        KernelJob.of(
            services(),
            folder,
            from,
            new KernelJob.Build(options, include == null ? List.of() : include, device));
    String job = name == null ? kernel.name() : name;
    checkName(job);
    Path file = folder.resolve(job + ".yml");
    if (Files.exists(file)) {
      throw isThere(file);
    }
    write(file, kernel.text(job));
    if (output.json()) {
      Map<String, Object> document = new LinkedHashMap<>();
      document.put("file", file.toString());
      document.put("kernel", kernel.kernel());
      document.put("device", kernel.device());
      output.document(document);
    } else {
      output.line("Wrote " + file + " for kernel " + kernel.kernel() + ".");
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

  /** For tests. */
  NewCommand from(String kernel, String job, List<String> headers, String forCompiler) {
    from = kernel;
    name = job;
    include = headers;
    options = forCompiler;
    return this;
  }
}
