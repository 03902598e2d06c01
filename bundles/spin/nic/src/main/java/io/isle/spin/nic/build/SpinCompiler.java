package io.isle.spin.nic.build;

import io.isle.api.base.Errno;
import io.isle.api.base.ForeignText;
import io.isle.api.observe.Actor;
import io.isle.api.spin.BuildSpec;
import io.isle.api.spin.HandlerBuild;
import io.isle.api.spin.HandlerBuilds;
import io.isle.api.spin.HandlerImage;
import io.isle.api.spin.SpinException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Builds images with {@code spin-cc}, one at a time. */
public final class SpinCompiler implements HandlerBuilds {
  private static final int MOST_IMAGES = 64;
  private static final int UNABLE = 3;
  private static final String ADMIN = "admin";

  private final Supplier<Path> script;
  private final Path folder;
  private final Duration limit;
  private final InstantSource clock;
  private final BuiltImages images;

  /**
   * @param script where {@code spin-cc} is
   * @param folder for images and for what compilers write
   * @param limit of a process of the compiler
   */
  public SpinCompiler(Supplier<Path> script, Path folder, Duration limit, InstantSource clock) {
    this.script = script;
    this.folder = folder;
    this.limit = limit;
    this.clock = clock;
    images = new BuiltImages(folder.resolve("images"), MOST_IMAGES);
  }

  @Override
  public synchronized HandlerBuild build(String name, BuildSpec spec) throws InterruptedException {
    Actor actor = Actor.current();
    if (actor.kind() == Actor.Kind.USER && !actor.has(ADMIN)) {
      throw new SpinException(
          Errno.EACCES,
          "building handlers from C requires the role admin: the compiler reads files as the"
              + " platform's user; an administrator can build a .spin file with spin:build");
    }
    Path compiler = script.get();
    if (!Files.isRegularFile(compiler)) {
      throw new SpinException(
          Errno.ENOTSUP, "the compiler of handlers, " + compiler + ", is missing");
    }
    try {
      Files.createDirectories(folder);
      Path work = Files.createTempDirectory(folder, "build");
      try {
        return build(name, spec, compiler, work);
      } finally {
        delete(work);
      }
    } catch (IOException e) {
      throw new SpinException(Errno.EIO, "handlers cannot be built: " + e, e);
    }
  }

  private HandlerBuild build(String name, BuildSpec spec, Path compiler, Path work)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(spec.options());
    spec.sources().forEach(source -> arguments.add(source.toString()));
    CompilerRun preprocessed =
        run(compiler, List.of("--preprocess"), arguments, work.resolve("key"));
    if (preprocessed.code() != 0) {
      return new HandlerBuild(Optional.empty(), false, ForeignText.lines(preprocessed.messages()));
    }
    String key = key(spec, preprocessed.output());
    Optional<byte[]> before = images.find(key, clock.instant());
    if (before.isPresent()) {
      return new HandlerBuild(
          Optional.of(new HandlerImage(name, before.get(), Optional.empty())), true, "");
    }
    Path file = work.resolve("image.spin");
    CompilerRun built =
        run(compiler, List.of("-o", file.toString()), arguments, work.resolve("image"));
    String messages = ForeignText.lines(built.messages());
    if (built.code() != 0) {
      return new HandlerBuild(Optional.empty(), false, messages);
    }
    HandlerImage image = new HandlerImage(name, bytes(file), Optional.empty());
    images.add(key, image.bytes(), clock.instant());
    return new HandlerBuild(Optional.of(image), false, messages);
  }

  private CompilerRun run(Path compiler, List<String> mode, List<String> arguments, Path work)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(mode);
    all.addAll(arguments);
    CompilerRun run = CompilerRun.of(compiler, all, Files.createDirectory(work), limit);
    if (run.overTime()) {
      throw new SpinException(
          Errno.ETIMEDOUT, "the compiler was ended after " + limit.toSeconds() + " s");
    }
    if (run.code() == UNABLE) {
      throw new SpinException(Errno.ENOTSUP, ForeignText.line(run.messages()));
    }
    return run;
  }

  /** Of all that decides about the image. */
  private static String key(BuildSpec spec, Path preprocessed) throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (String option : spec.options()) {
        digest.update((option + '\0').getBytes(StandardCharsets.UTF_8));
      }
      try (InputStream stream = new DigestInputStream(Files.newInputStream(preprocessed), digest)) {
        long ignored = stream.transferTo(OutputStream.nullOutputStream());
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private static byte[] bytes(Path file) throws IOException {
    try (InputStream stream = Files.newInputStream(file)) {
      // one more, so that a longer image is refused
      return stream.readNBytes(HandlerImage.MAX_BYTES + 1);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }
}
