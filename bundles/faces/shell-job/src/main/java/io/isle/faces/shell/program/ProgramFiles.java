package io.isle.faces.shell.program;

import io.isle.api.accel.ProgramSource;
import io.isle.api.accel.SourceFile;
import io.isle.faces.shell.ShellException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Reads files of a program: a source, and headers that the source includes. */
public final class ProgramFiles {
  private ProgramFiles() {}

  /**
   * The program of a file.
   *
   * @param directory against which relative paths count; the names of files below this directory
   *     begin here, else at the folder that all files have in common
   * @throws ShellException for a file that cannot be read, names the file
   * @throws io.isle.api.accel.AccelException for a file that no device accepts
   */
  public static ProgramSource read(
      Path directory, String file, List<String> headers, String options) {
    List<Path> paths = new ArrayList<>(List.of(path(directory, file)));
    headers.forEach(header -> paths.add(path(directory, header)));
    Path root = root(directory.toAbsolutePath().normalize(), paths);
    List<SourceFile> files =
        paths.stream().map(path -> new SourceFile(name(root, path), text(path))).toList();
    SourceFile first = files.getFirst();
    return headers.isEmpty()
        ? new ProgramSource.OpenClC("#line 1 \"" + first.name() + "\"\n" + first.text(), options)
        : new ProgramSource.OpenClFiles(List.of(first), files.subList(1, files.size()), options);
  }

  private static Path path(Path directory, String file) {
    try {
      return directory.resolve(file).toAbsolutePath().normalize();
    } catch (InvalidPathException e) {
      throw ShellException.usage("'" + file + "' is not a path: " + e.getReason());
    }
  }

  private static Path root(Path directory, List<Path> paths) {
    Path root = paths.stream().allMatch(path -> path.startsWith(directory)) ? directory : null;
    for (Path path : root == null ? paths : List.<Path>of()) {
      root = root == null ? path.getParent() : common(root, path);
    }
    return root;
  }

  private static Path common(Path folder, Path path) {
    Path common = folder;
    while (!path.startsWith(common)) {
      common = common.getParent();
    }
    return common;
  }

  private static String name(Path root, Path path) {
    Path below = root.relativize(path);
    return String.join(
        "/",
        IntStream.range(0, below.getNameCount())
            .mapToObj(i -> below.getName(i).toString())
            .toList());
  }

  private static String text(Path path) {
    try {
      if (!Files.isRegularFile(path)) {
        throw ShellException.failed(
            path + (Files.exists(path) ? " is not a file" : " does not exist"));
      }
      if (Files.size(path) > ProgramSource.MAX_SOURCE_BYTES) {
        throw ShellException.failed(
            path
                + " has "
                + Files.size(path)
                + " bytes; the limit is "
                + ProgramSource.MAX_SOURCE_BYTES);
      }
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(Files.readAllBytes(path)))
          .toString();
    } catch (CharacterCodingException e) {
      throw ShellException.failed(path + " is not a text in UTF-8");
    } catch (IOException e) {
      throw ShellException.failed(path + " cannot be read: " + e);
    }
  }
}
