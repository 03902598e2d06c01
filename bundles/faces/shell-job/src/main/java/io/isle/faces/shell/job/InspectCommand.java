package io.isle.faces.shell.job;

import io.isle.api.accel.KernelInfo;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.program.Inspection;
import io.isle.faces.shell.program.KernelText;
import io.isle.faces.shell.program.ProgramFiles;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.support.completers.FileCompleter;

/** {@code program:inspect}. */
@Service
@Command(
    scope = "program",
    name = "inspect",
    description =
        "Shows the kernels of a program in OpenCL C: arguments, work-group sizes, memory, and why a"
            + " kernel cannot be used")
@RequiredRole(
    value = Role.MANAGER,
    reason = "The command reads files as the platform's user and has them compiled.")
public final class InspectCommand extends IsleCommand {
  @Argument(
      name = "file",
      description = "OpenCL C file; a relative path starts at the caller's directory",
      required = true)
  @Completion(FileCompleter.class)
  private String file;

  @Option(name = "--options", description = "Options for the compiler, such as \"-D N=16\"")
  private String options = "";

  @Option(
      name = "--include",
      description = "Header that the file includes; may be given several times",
      multiValued = true)
  @Completion(FileCompleter.class)
  private List<String> include;

  @Option(
      name = "--device",
      description = "Id of the device; the first device that accepts OpenCL C if left out")
  @Completion(OpenClDeviceCompleter.class)
  private String device;

  private Path directory;

  @Override
  protected void run(Output output) {
    Path from = directory == null ? Caller.of(session()).directory() : directory;
    List<String> headers = include == null ? List.of() : include;
    Inspection inspection =
        Inspection.of(services(), device, ProgramFiles.read(from, file, headers, options));
    if (output.json()) {
      Map<String, Object> document = new LinkedHashMap<>();
      document.put("device", inspection.device());
      document.put("kernels", inspection.kernels().stream().map(KernelText::object).toList());
      output.document(document);
      return;
    }
    String before = "";
    for (KernelInfo kernel : inspection.kernels()) {
      if (!before.isEmpty()) {
        output.line("");
      }
      before = kernel.name();
      KernelText.lines(kernel, output.columns()).forEach(output::line);
    }
  }

  /** For tests: as if called from there. */
  InspectCommand in(Path folder) {
    directory = folder;
    return this;
  }

  /** For tests. */
  InspectCommand of(String source, List<String> headers, String forCompiler, String on) {
    file = source;
    include = headers;
    options = forCompiler;
    device = on;
    return this;
  }
}
