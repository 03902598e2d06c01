package io.isle.spin.nic.manage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.isle.api.spin.ContextInfo;
import io.isle.core.testing.Until;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Contexts of settings that name what cannot be. */
class BadFilesTest {
  @TempDir private Path folder;
  private final SpinRig rig = new SpinRig();

  @BeforeEach
  void nic() {
    rig.nic("nic0", "port", "test:a");
    assertTrue(Until.holds(() -> rig.core.nic("nic0").isPresent()));
  }

  @AfterEach
  void close() {
    rig.close();
  }

  private void isRefused(String name, String reason) {
    assertTrue(Until.holds(() -> reason(name).equals(reason)), () -> reason(name));
  }

  private String reason(String name) {
    return rig.core.contexts().stream()
        .filter(one -> one.name().equals(name))
        .map(ContextInfo::reason)
        .findFirst()
        .orElse("none");
  }

  private void context(String name, String... more) {
    rig.file("io.isle.spin-" + name, more);
  }

  @Test
  void whatIsNoFileStopsNothing() throws Exception {
    Path pipe = folder.resolve("pipe.spin");
    Process made = new ProcessBuilder("mkfifo", pipe.toString()).start();
    assumeTrue(made.waitFor() == 0, "no mkfifo");
    Path none = folder.resolve("none.spin");
    context("pipe", "nic", "nic0", "handlers", pipe.toString());
    context("folder", "nic", "nic0", "handlers", folder.toString());
    context("none", "nic", "nic0", "handlers", none.toString());
    isRefused("pipe", "handlers: " + pipe + " is no regular file");
    isRefused("folder", "handlers: " + folder + " is no regular file");
    isRefused("none", "handlers: " + none + " does not exist");
    Files.write(none, SpinRig.image("a", Optional.empty()).bytes());
    isRefused("none", "");
  }

  @Test
  void aNameThatMakesNoGroupNeedsOne() {
    rig.handlers.add(1, SpinRig.image("ping", Optional.empty()));
    context("Ping", "nic", "nic0", "handlers", "ping");
    isRefused("Ping", "group: no group can have the name spin-Ping; set the key group");
    context("Ping", "nic", "nic0", "handlers", "ping", "group", "mine");
    isRefused("Ping", "");
  }

  @Test
  void namesOfFilesAreChecked() {
    rig.handlers.add(1, SpinRig.image("ping", Optional.empty()));
    rig.nic("a b", "port", "test:b");
    rig.nic("a\u001b", "port", "test:c");
    context("a b", "nic", "nic0", "handlers", "ping");
    context("x".repeat(65), "nic", "nic0", "handlers", "ping");
    context("last", "nic", "nic0", "handlers", "ping");
    isRefused("last", "");
    assertEquals(1, rig.core.nics().size());
    assertEquals(1, rig.core.contexts().size());
  }
}
