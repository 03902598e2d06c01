package io.isle.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A benchmark's use of a started instance, and folders for files. Nothing of all remains, also when
 * the benchmark is interrupted; but in a smoke run, the instance goes on with the next benchmark,
 * so each benchmark takes back what it has made there.
 */
public final class Instance implements AutoCloseable {
  private final List<Path> folders;
  private final boolean owned;
  private final RunningInstance running;
  private final Thread hook;

  /**
   * Starts it.
   *
   * @param folders deleted at the end
   */
  public Instance(Settings settings, List<Path> folders) throws IOException, InterruptedException {
    this.folders = List.copyOf(folders);
    hook = Thread.ofPlatform().name("delete-folders").unstarted(this::deleteFolders);
    Runtime.getRuntime().addShutdownHook(hook);
    owned = !settings.smoke();
    boolean started = false;
    try {
      running = owned ? new RunningInstance(settings) : settings.instances().shared(settings);
      started = true;
    } finally {
      if (!started) {
        deleteFolders();
      }
    }
  }

  /**
   * Runs a shell command to its end, and returns its output.
   *
   * @throws Commands.FailedException when the command fails
   */
  public String command(String... words) throws IOException, InterruptedException {
    return running.command(words);
  }

  /**
   * Runs the launcher for this instance, and returns its output.
   *
   * @param words such as {@code run FILE}
   * @throws Commands.FailedException when the launcher fails
   */
  public String launcher(String... words) throws IOException, InterruptedException {
    return running.launcher(words);
  }

  private void deleteFolders() {
    try {
      for (Path folder : folders) {
        Folders.delete(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    boolean ignored = Runtime.getRuntime().removeShutdownHook(hook);
    try {
      if (owned) {
        running.close();
      }
    } finally {
      deleteFolders();
    }
  }
}
