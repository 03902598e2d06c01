package io.isle.itests;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A device of handlers whose limit of time no handler of a test reaches, however busy the machine
 * is. Only for machines that can build and run handlers.
 */
final class HandlerDevice {
  static final String ID = "spin6";

  private HandlerDevice() {}

  /** Makes the device; without the means for it, the test is skipped with the reason. */
  static void add() throws IOException, InterruptedException {
    assumeTrue(Devices.exists("spin0"), "there is no device of handlers");
    Process can =
        new ProcessBuilder("sh", Platform.root() + "/native-shims/spin/spin-cc", "--can").start();
    assumeTrue(can.waitFor() == 0, "this machine cannot build handlers");
    Devices.configure(ID, "driver = spin", "handler_limit_us = 1000000");
    Devices.awaitState(ID, "active");
  }

  /** Removes the device, if there is one. */
  static void remove() throws IOException, InterruptedException {
    if (Files.deleteIfExists(Devices.settings(ID))) {
      Awaiting.await(ID + " is gone", () -> !Devices.exists(ID));
    }
  }

  /** A process of a group whose handlers are attached. */
  static ProcessHandle process() throws IOException {
    long device = Devices.info(ID).get("host_pid").asLong();
    return ProcessHandle.of(device)
        .flatMap(ProcessHandle::parent)
        .orElseThrow()
        .children()
        .filter(one -> threads(one).contains("isle-hpu-0"))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> threads(ProcessHandle process) {
    try (var all = Files.list(Path.of("/proc/" + process.pid() + "/task"))) {
      return all.map(HandlerDevice::name).toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  private static String name(Path task) {
    try {
      return Files.readString(task.resolve("comm")).strip();
    } catch (IOException e) {
      return "";
    }
  }
}
