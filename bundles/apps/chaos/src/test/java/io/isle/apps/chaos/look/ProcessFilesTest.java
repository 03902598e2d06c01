package io.isle.apps.chaos.look;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProcessFilesTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "socket:[1234], socket:[#]",
    "/memfd:isle-soft0 (deleted), /memfd:isle-soft#",
    "/a b/bundle17/version0.0/bundle.jar, bundle.jar",
    "/a/0c1b7a6e-0f1d-4bcf-9e0d-aabbccddeeff.so, #.so",
    "anon_inode:[pidfd], anon_inode:[pidfd]"
  })
  void whatADescriptorRefersToSaysItsSort(String target, String sort) {
    assertEquals(sort, ProcessFiles.sort(target));
  }

  @Test
  void anOpenFileIsOneDescriptorMore() throws Exception {
    Path file = Files.createFile(folder.resolve("unlikely-name"));
    assertEquals(0, descriptors("unlikely-name"));
    try (FileChannel channel = FileChannel.open(file)) {
      assertTrue(channel.isOpen());
      assertEquals(1, descriptors("unlikely-name"));
    }
    assertEquals(0, descriptors("unlikely-name"));
  }

  @Test
  void threadsAreCountedByName() throws Exception {
    Thread thread = Thread.ofPlatform().name("census-7-b12").unstarted(ProcessFilesTest::forever);
    assertEquals(0, threads("census-#-b#"));
    thread.start();
    assertEquals(1, threads("census-#-b#"));
    thread.interrupt();
    thread.join();
    assertEquals(0, threads("census-#-b#"));
  }

  private static void forever() {
    try {
      Thread.currentThread().join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static long descriptors(String name) {
    Map<String, Long> counts = new HashMap<>();
    ProcessFiles.descriptors(counts);
    return counts.getOrDefault("descriptors " + name, 0L);
  }

  private static long threads(String name) {
    Map<String, Long> counts = new HashMap<>();
    Threads.count(counts);
    return counts.getOrDefault("threads " + name, 0L);
  }
}
