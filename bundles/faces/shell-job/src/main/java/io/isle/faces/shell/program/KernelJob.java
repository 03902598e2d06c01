package io.isle.faces.shell.program;

import io.isle.api.accel.KernelInfo;
import io.isle.faces.shell.Services;
import io.isle.faces.shell.ShellException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A job file that begins with a kernel of a file, as a device's driver describes it. */
public final class KernelJob {
  private static final String KERNEL = "[A-Za-z_][A-Za-z0-9_]{0,254}";

  private final String device;
  private final KernelInfo kernel;
  private final String name;
  private final JobText.Named program;

  private KernelJob(String device, KernelInfo kernel, String name, JobText.Named program) {
    this.device = device;
    this.kernel = kernel;
    this.name = name;
    this.program = program;
  }

  /**
   * How the program is built.
   *
   * @param headers paths, as of the file
   * @param device id; null for the first one that accepts OpenCL C
   */
  public record Build(String options, List<String> headers, String device) {}

  /**
   * Has the program of a file built and finds the kernel.
   *
   * @param folder where the job file will be; it names files there or below only
   * @param from path of the file, perhaps with a colon and the kernel's name
   * @throws ShellException when there is no such file or kernel, when there are several kernels and
   *     none is named, and for a kernel that no job can run, with the reason
   */
  public static KernelJob of(Services services, Path folder, String from, Build build) {
    int colon = from.lastIndexOf(':');
    boolean named =
        colon > 0
            && from.substring(colon + 1).matches(KERNEL)
            && !Files.exists(folder.resolve(from));
    String file = named ? from.substring(0, colon) : from;
    List<String> paths = new ArrayList<>();
    Stream.concat(Stream.of(file), build.headers().stream())
        .forEach(path -> paths.add(below(folder, path)));
    Inspection inspection =
        Inspection.of(
            services,
            build.device(),
            ProgramFiles.read(folder, file, build.headers(), build.options()));
    KernelInfo kernel = choose(inspection.kernels(), named ? from.substring(colon + 1) : null);
    return new KernelJob(
        inspection.device(), kernel, base(paths.getFirst()), program(paths, kernel, build));
  }

  /** The path from the folder on, as a job file names it. */
  private static String below(Path folder, String file) {
    Path root = folder.toAbsolutePath().normalize();
    Path path = root.resolve(file).normalize();
    if (!path.startsWith(root) || path.equals(root)) {
      throw ShellException.failed(
          file + " is not in " + root + " or below; job files name programs there only");
    }
    Path below = root.relativize(path);
    return String.join(
        "/",
        IntStream.range(0, below.getNameCount())
            .mapToObj(i -> below.getName(i).toString())
            .toList());
  }

  private static String base(String path) {
    String file = path.substring(path.lastIndexOf('/') + 1);
    return file.endsWith(".cl") ? file.substring(0, file.length() - 3) : file;
  }

  private static KernelInfo choose(List<KernelInfo> kernels, String name) {
    List<KernelInfo> fitting =
        kernels.stream()
            .filter(kernel -> name == null ? kernel.isUsable() : kernel.name().equals(name))
            .toList();
    String all = String.join(", ", kernels.stream().map(KernelInfo::name).toList());
    if (fitting.isEmpty()) {
      throw ShellException.failed("no kernel " + name + "; the kernels are " + all);
    }
    if (fitting.size() > 1) {
      throw ShellException.usage("a kernel is needed, as FILE.cl:KERNEL; the kernels are " + all);
    }
    KernelInfo kernel = fitting.getFirst();
    if (!kernel.isUsable()) {
      throw ShellException.failed(
          "kernel " + kernel.name() + " cannot be used: " + kernel.unusable());
    }
    return kernel;
  }

  private static JobText.Named program(List<String> paths, KernelInfo kernel, Build build) {
    String options = build.options().isEmpty() ? "" : ", options: " + quoted(build.options());
    String chosen = ", kernel: " + quoted(kernel.name());
    if (paths.size() == 1) {
      return new JobText.Named("{file: " + quoted(paths.getFirst()) + chosen + options + "}", "");
    }
    List<String> headers = paths.subList(1, paths.size()).stream().map(KernelJob::quoted).toList();
    return new JobText.Named(
        "{name: program" + chosen + "}",
        "\nprograms:\n  program: {files: ["
            + quoted(paths.getFirst())
            + "], include: ["
            + String.join(", ", headers)
            + "]"
            + options
            + "}\n");
  }

  /** A text of YAML in which nothing is replaced. */
  private static String quoted(String text) {
    return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("${", "$${") + "\"";
  }

  /** The name of the file without its ending. */
  public String name() {
    return name;
  }

  public String kernel() {
    return kernel.name();
  }

  public String device() {
    return device;
  }

  /**
   * The text of the job file.
   *
   * @throws ShellException for a kernel without buffers
   */
  public String text(String job) {
    return JobText.of(job, program, kernel)
        .orElseThrow(
            () ->
                ShellException.failed(
                    "kernel " + kernel.name() + " has no buffer, so a job of it has no result"));
  }
}
