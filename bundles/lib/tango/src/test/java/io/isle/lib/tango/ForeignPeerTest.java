package io.isle.lib.tango;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Links with a program in C on the other side, {@code tango-peer}, made from isle_tango.h. */
@Timeout(60)
class ForeignPeerTest {
  private static final int COUNT = 20_000;

  @TempDir Path dir;

  private static Process peer(Path link, String verb, Object... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("isle.native"), "tango-peer").toString(),
                verb,
                link.toString()));
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  private static String said(Process process) throws IOException, InterruptedException {
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), out);
    return out.strip();
  }

  private Path link(LinkPlan plan) throws IOException {
    Path path = dir.resolve("link");
    LinkFile.create(path, plan, LinkPlaces.USUAL);
    return path;
  }

  @Test
  void bothMakeTheSameFile() throws IOException, InterruptedException {
    Path ours = link(new LinkPlan(256, 1500, 1, -7, 3));
    Path theirs = dir.resolve("theirs");
    assertEquals("", said(peer(theirs, "create", 256, 1500, "18446744073709551609", 3)));
    assertEquals(-1, Files.mismatch(ours, theirs));
  }

  /** The number goes round its end, and the data several times round theirs. */
  @Test
  void cResumesWhatJavaPublishedAndTheOtherWayRound() throws IOException, InterruptedException {
    Path path = link(new LinkPlan(128, 1500, 1, -150, 0));
    try (LinkFile file = LinkFile.open(path, true, LinkPlaces.USUAL)) {
      for (int round = 0; round < 4; round++) {
        LinkWriter writer = new LinkWriter(file.mcache(), file.chunks(1500));
        long seq = writer.seq();
        for (int i = 0; i < 77; i++) {
          Links.publish(writer, 1 + i * 19);
        }
        // the last fragments are told by no number but their own
        String[] words = said(peer(path, "produce", 1500, 70, 700)).split(" ", -1);
        assertEquals(Long.toUnsignedString(seq + 77), words[0]);
        assertEquals(Long.toUnsignedString(seq + 147), words[1]);
        LinkWriter next = new LinkWriter(file.mcache(), file.chunks(1500));
        assertEquals(seq + 147, next.seq());
        assertEquals(Long.parseLong(words[2]), next.chunk());
      }
    }
  }

  /** Whole fragments, all of them, at the speed of the slowest of two consumers. */
  @Test
  void cConsumesReliablyWhatJavaPublishes() throws IOException, InterruptedException {
    Path path = link(new LinkPlan(128, 200, 1, -1000, 2));
    try (LinkFile file = LinkFile.open(path, true, LinkPlaces.USUAL)) {
      String from = Long.toUnsignedString(-1000);
      Process first = peer(path, "consume", from, COUNT, 0);
      Process second = peer(path, "consume", from, COUNT, 1);
      LinkWriter writer = new LinkWriter(file.mcache(), file.chunks(200));
      List<Fctl.Consumer> consumers =
          file.fseqs().stream().map(fseq -> new Fctl.Consumer(fseq, 128)).toList();
      Fctl fctl = new Fctl(consumers, Fctl.Limits.USUAL, writer.seq());
      for (int i = 0; i < COUNT; i++) {
        while (fctl.update(writer.seq()) < 1) {
          Thread.yield();
        }
        fctl.spend(1);
        Links.publish(writer, i % 201);
      }
      assertEquals("ready\n" + COUNT + " 0 0", said(first));
      assertEquals("ready\n" + COUNT + " 0 0", said(second));
      assertEquals(writer.seq(), file.fseq(1).seq());
    }
  }

  @Test
  void javaConsumesReliablyWhatCPublishes() throws IOException, InterruptedException {
    Path path = link(new LinkPlan(128, 200, 1, -1000, 1));
    try (LinkFile file = LinkFile.open(path, true, LinkPlaces.USUAL)) {
      Process producer = peer(path, "produce", 200, COUNT, 150, "reliable");
      Fseq fseq = file.fseq(0);
      LinkReader reader = new LinkReader(file.mcache(), fseq.seq());
      Chunks chunks = file.chunks(200);
      for (int i = 0; i < COUNT; i++) {
        while (reader.poll() != 0) {
          Thread.yield();
        }
        for (long at = 0; at < 256; at += 8) {
          long word = chunks.memory().get(Links.U64, Chunks.offset(reader.frag().chunk()) + at);
          assertEquals(reader.seq(), word);
        }
        assertEquals(0, reader.take());
        fseq.seq(reader.seq());
      }
      assertEquals(0, reader.lost());
      assertEquals("18446744073709550616 19000", said(producer).replaceFirst(" \\d+$", ""));
    }
  }

  /** Without flow control, each number is read or lost, and what is read is whole. */
  @Test
  void aConsumerInCNoticesWhatItLoses() throws IOException, InterruptedException {
    Path path = link(new LinkPlan(128, 200, 1, 0, 0));
    try (LinkFile file = LinkFile.open(path, true, LinkPlaces.USUAL)) {
      Process consumer = peer(path, "consume", "now", COUNT);
      BufferedReader lines = consumer.inputReader(StandardCharsets.UTF_8);
      assertEquals("ready", lines.readLine());
      LinkWriter writer = new LinkWriter(file.mcache(), file.chunks(200));
      while (consumer.isAlive()) {
        for (int i = 0; i < 10_000; i++) {
          Links.publish(writer, 100);
        }
      }
      String[] words = lines.readLine().split(" ", -1);
      assertEquals(Integer.toString(COUNT), words[0]);
      assertEquals("0", words[2], "corrupt");
      assertEquals(true, consumer.waitFor(10, TimeUnit.SECONDS));
    }
  }
}
