package io.isle.spin.nic.build;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.isle.api.base.Errno;
import io.isle.api.spin.BuildSpec;
import io.isle.api.spin.HandlerBuild;
import io.isle.api.spin.HandlerImage;
import io.isle.api.spin.SpinException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Principal;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import javax.security.auth.Subject;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpinCompilerTest {
  private static final Path SPIN_CC =
      Path.of("../../../native-shims/spin/spin-cc").toAbsolutePath().normalize();
  private static final String HANDLER =
      "#include <handler.h>\n#include \"part.h\"\nvoid a_ph(handler_args_t *a) { (void)a; PART; }\n";

  /** As the classes of Karaf are called. */
  private record UserPrincipal(String getName) implements Principal {}

  private record RolePrincipal(String getName) implements Principal {}

  @TempDir Path folder;
  private Path source;

  @BeforeEach
  void sources() throws IOException {
    Path sources = Files.createDirectory(folder.resolve("the sources"));
    source = Files.writeString(sources.resolve("a.c"), HANDLER);
    Files.writeString(sources.resolve("part.h"), "#define PART 1\n");
  }

  private SpinCompiler compiler(Path script, Duration limit) {
    return new SpinCompiler(() -> script, folder.resolve("work"), limit, () -> Instant.EPOCH);
  }

  private SpinCompiler real() throws IOException, InterruptedException {
    int can = new ProcessBuilder("sh", SPIN_CC.toString(), "--can").start().waitFor();
    assumeTrue(can == 0, "this machine cannot build handlers");
    return compiler(SPIN_CC, Duration.ofMinutes(5));
  }

  /** Does this instead of compiling. */
  private SpinCompiler script(String text, Duration limit) throws IOException {
    return compiler(Files.writeString(folder.resolve("script"), text), limit);
  }

  private HandlerBuild build(SpinCompiler compiler, String... options) throws InterruptedException {
    return compiler.build("a", new BuildSpec(List.of(source), List.of(options)));
  }

  private static byte[] image(HandlerBuild build) {
    return build.image().map(HandlerImage::bytes).orElseThrow(() -> new AssertionError(build));
  }

  private static int code(Callable<?> call) {
    return assertThrows(SpinException.class, call::call).code();
  }

  /** Nothing but images is left. */
  private void assertClean() throws IOException {
    try (Stream<Path> all = Files.list(folder.resolve("work"))) {
      assertEquals(
          List.of(),
          all.map(path -> path.getFileName().toString())
              .filter(name -> !name.equals("images"))
              .toList());
    }
  }

  @Test
  void sameSourcesAreBuiltOnce() throws IOException, InterruptedException {
    SpinCompiler compiler = real();
    HandlerBuild first = build(compiler);
    assertFalse(first.cached());
    assertEquals("", first.messages());
    assertEquals(0x7F, image(first)[0]);
    HandlerBuild second = build(compiler(SPIN_CC, Duration.ofMinutes(5)));
    assertTrue(second.cached());
    assertArrayEquals(image(first), image(second));
    assertFalse(build(compiler, "-O1").cached(), "other options");
    assertFalse(build(compiler, "-DPART_OF=3").cached(), "other definitions");
    Files.writeString(source.resolveSibling("part.h"), "#define PART a->hpu_id++\n");
    HandlerBuild other = build(compiler);
    assertFalse(other.cached(), "another header");
    assertFalse(Arrays.equals(image(first), image(other)));
    assertClean();
  }

  @Test
  void mistakesInSourcesAreShown() throws IOException, InterruptedException {
    SpinCompiler compiler = real();
    Files.writeString(source.resolveSibling("part.h"), "#define PART nothing()\n");
    HandlerBuild build = build(compiler);
    assertTrue(build.image().isEmpty());
    assertTrue(build.messages().contains("nothing"), build::messages);
    Files.delete(source.resolveSibling("part.h"));
    assertTrue(build(compiler).messages().contains("part.h"));
    assertClean();
  }

  @Test
  void aWarningIsShownAndDoesNotStopTheBuild() throws IOException, InterruptedException {
    SpinCompiler compiler = real();
    Files.writeString(source.resolveSibling("part.h"), "#define PART amo_store(a, a)\n");
    HandlerBuild build = build(compiler);
    assertTrue(build.image().isPresent());
    assertTrue(build.messages().contains("warning"), build::messages);
  }

  @Test
  void aCompilerThatDoesNotEndIsEnded() throws Exception {
    SpinCompiler compiler =
        script(
            "sh -c 'while :; do :; done' & echo $! >" + folder + "/pid; wait",
            Duration.ofSeconds(1));
    assertEquals(Errno.ETIMEDOUT, code(() -> build(compiler)));
    long pid = Long.parseLong(Files.readString(folder.resolve("pid")).strip());
    // the kernel may still be at it
    for (var child : ProcessHandle.of(pid).stream().toList()) {
      assertEquals(pid, child.onExit().get(1, TimeUnit.MINUTES).pid());
    }
    assertClean();
  }

  @Test
  void anInterruptEndsTheCompiler() throws Exception {
    SpinCompiler compiler =
        script("echo >" + folder + "/begun; exec sleep 1000", Duration.ofMinutes(10));
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    CountDownLatch done = new CountDownLatch(1);
    Thread thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    thrown.set(new AssertionError(build(compiler)));
                  } catch (InterruptedException | RuntimeException e) {
                    thrown.set(e);
                  }
                  done.countDown();
                });
    while (!Files.exists(folder.resolve("begun"))) {
      Thread.onSpinWait();
    }
    thread.interrupt();
    done.await();
    assertEquals(InterruptedException.class, thrown.get().getClass());
    assertClean();
  }

  @Test
  void aMachineThatCannotSaysWhy() throws IOException {
    SpinCompiler compiler =
        script("echo 'gcc does not have -mx32' >&2; exit 3", Duration.ofMinutes(1));
    SpinException e = assertThrows(SpinException.class, () -> build(compiler));
    assertEquals(Errno.ENOTSUP, e.code());
    assertEquals("gcc does not have -mx32", e.getMessage());
    SpinCompiler missing = compiler(folder.resolve("missing"), Duration.ofMinutes(1));
    assertEquals(Errno.ENOTSUP, code(() -> build(missing)));
  }

  @Test
  void anImageThatIsTooLongIsRefused() throws IOException {
    SpinCompiler compiler =
        script("[ $1 = --preprocess ] || head -c 1048577 /dev/zero >\"$2\"", Duration.ofMinutes(1));
    assertEquals(Errno.EMSGSIZE, code(() -> build(compiler)));
    assertClean();
  }

  @Test
  void usersNeedTheRoleAdmin() throws Exception {
    SpinCompiler compiler =
        script("[ $1 = --preprocess ] || echo image >\"$2\"", Duration.ofMinutes(1));
    for (String role : List.of("viewer", "manager")) {
      assertEquals(
          Errno.EACCES, Subject.callAs(user(role), () -> code(() -> build(compiler))), role);
    }
    assertArrayEquals(
        "image\n".getBytes(StandardCharsets.UTF_8),
        image(Subject.callAs(user("admin"), () -> build(compiler))));
  }

  private static Subject user(String role) {
    return new Subject(
        true, Set.of(new UserPrincipal("ann"), new RolePrincipal(role)), Set.of(), Set.of());
  }

  @Test
  void theImagesThatWereUsedLastAreKept() throws IOException {
    BuiltImages images = new BuiltImages(folder.resolve("images"), 2);
    for (int i = 1; i <= 3; i++) {
      images.add("k" + i, new byte[] {(byte) i}, Instant.ofEpochSecond(i));
      assertTrue(images.find("k1", Instant.ofEpochSecond(10 + i)).isPresent());
    }
    assertTrue(images.find("k2", Instant.EPOCH).isEmpty());
    assertArrayEquals(new byte[] {3}, images.find("k3", Instant.EPOCH).orElseThrow());
  }

  @Test
  void optionsAndSourcesAreChecked() {
    assertEquals(Errno.EINVAL, code(() -> new BuildSpec(List.of(), List.of())));
    assertEquals(Errno.EINVAL, code(() -> new BuildSpec(List.of(Path.of("a.c")), List.of())));
    for (String option : List.of("-Wl,x", "-D", "a.c", "-DA\n", "--can")) {
      assertEquals(
          Errno.EINVAL, code(() -> new BuildSpec(List.of(source), List.of(option))), option);
    }
  }
}
