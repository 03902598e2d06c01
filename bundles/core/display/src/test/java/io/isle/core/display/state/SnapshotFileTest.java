package io.isle.core.display.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Ids;
import io.isle.api.device.DisplayMode;
import io.isle.api.device.DpmsState;
import io.isle.api.device.PixelFormat;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class SnapshotFileTest {
  private static final int CAPACITY = 4;
  private static final Lineage RUN = new Lineage("run-1", 11, 12, 13);
  private static final Frame FRAME =
      new Frame(
          Ids.of(Ids.FRAMEBUFFER, 2, 1),
          "owner",
          "owner:tenant",
          Ids.of(Ids.MEMORY, 3, 4),
          11,
          4,
          3,
          PixelFormat.RGB565);
  private static final DisplayMode MODE = new DisplayMode(4, 3, 60_000, 1, 2, 3, 4, 5, 6, 7, true);

  private static HeadState head(Optional<Frame> shown) {
    return new HeadState(
        new ScreenState(
            Optional.of(MODE),
            DpmsState.STANDBY,
            true,
            Optional.of(
                new ScreenState.Cursor(1, 2, 3, 0, new ScreenState.Pixels(new int[] {7, -1}))),
            shown),
        9,
        8,
        List.of(2L, 8L),
        109,
        5,
        1,
        Optional.of(true));
  }

  private static final HeadState IDLE =
      new HeadState(ScreenState.FRESH, 0, 0, List.of(), 0, 0, 0, Optional.empty());

  private static Snapshot snapshot() {
    return new Snapshot(
        RUN,
        new int[] {0, 2, 1, Ids.MAX_GENERATION},
        Map.of(
            "sim0",
            new DeviceState(
                OptionalInt.of(7), List.of(FRAME), Map.of(1, head(Optional.of(FRAME)), -1, IDLE)),
            "sim1",
            new DeviceState(OptionalInt.empty(), List.of(), Map.of(2, IDLE))));
  }

  private static byte[] bytes(Snapshot snapshot) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new SnapshotWriter(out).write(snapshot);
    return out.toByteArray();
  }

  private static Snapshot read(byte[] bytes) throws IOException {
    return new SnapshotReader(new ByteArrayInputStream(bytes), CAPACITY).read();
  }

  private static String refused(Snapshot snapshot) throws IOException {
    byte[] bytes = bytes(snapshot);
    return assertThrows(IOException.class, () -> read(bytes)).getMessage();
  }

  @Example
  void whatIsWrittenIsRead() throws IOException {
    Snapshot read = read(bytes(snapshot()));
    assertEquals(RUN, read.lineage());
    assertEquals(Arrays.toString(snapshot().generations()), Arrays.toString(read.generations()));
    assertEquals(snapshot().devices().keySet(), read.devices().keySet());
    DeviceState device = read.devices().get("sim0");
    assertEquals(OptionalInt.of(7), device.epoch());
    assertEquals(List.of(FRAME), device.frames());
    assertEquals(IDLE, device.heads().get(-1));
    HeadState head = device.heads().get(1);
    ScreenState.Cursor cursor = head.screen().cursor().orElseThrow();
    assertEquals(
        List.of(1, 2, 3, 0), List.of(cursor.width(), cursor.height(), cursor.x(), cursor.y()));
    assertEquals("[7, -1]", Arrays.toString(cursor.pixels().argb()));
    assertEquals(Optional.of(FRAME), head.screen().shown());
    assertEquals(Optional.of(MODE), head.screen().mode());
    assertEquals(DpmsState.STANDBY, head.screen().dpms());
    assertEquals(List.of(2L, 8L), head.interrupted());
    assertEquals(109, head.told());
    assertEquals(5, head.hotplugsBefore());
    assertEquals(1, head.hotplugsTold());
    assertEquals(Optional.of(true), head.connected());
    assertEquals(snapshot().devices().get("sim1"), read.devices().get("sim1"));
  }

  @Example
  void whatCannotHaveBeenIsRefusedByName() throws IOException {
    Frame wide = new Frame(FRAME.id(), "o", "t", FRAME.memory(), 11, 16385, 1, FRAME.format());
    assertTrue(refused(of(frames(wide))).startsWith("width: 16385"));
    Frame strange = new Frame(FRAME.memory(), "o", "t", FRAME.memory(), 11, 1, 1, FRAME.format());
    assertTrue(refused(of(frames(strange))).startsWith("framebuffer: "));
    Frame beyond =
        new Frame(
            Ids.of(Ids.FRAMEBUFFER, 1, CAPACITY),
            "o",
            "t",
            FRAME.memory(),
            11,
            1,
            1,
            FRAME.format());
    assertTrue(refused(of(frames(beyond))).startsWith("framebuffer: "));
    Frame nothing = new Frame(FRAME.id(), "o", "t", 1, 11, 1, 1, FRAME.format());
    assertTrue(refused(of(frames(nothing))).startsWith("memory: "));
    Frame unnamed = new Frame(FRAME.id(), "", "t", FRAME.memory(), 11, 1, 1, FRAME.format());
    assertTrue(refused(of(frames(unnamed))).startsWith("owner: "));
    assertTrue(refused(of(frames(FRAME, FRAME))).contains("twice"));
    assertTrue(refused(of(head(Optional.of(FRAME)))).startsWith("shown: "));
    assertTrue(
        refused(of(new HeadState(ScreenState.FRESH, 1, 2, List.of(), 0, 0, 0, Optional.empty())))
            .startsWith("reached: 2"));
    assertTrue(
        refused(
                of(
                    new HeadState(
                        ScreenState.FRESH, 3, 2, List.of(2L, 2L), 0, 0, 0, Optional.empty())))
            .startsWith("interrupted: point 2"));
    assertTrue(
        refused(new Snapshot(RUN, new int[CAPACITY - 1], Map.of())).startsWith("generations: "));
    assertTrue(
        refused(new Snapshot(RUN, new int[] {0, 0, 0, 1 << 24}, Map.of()))
            .startsWith("generation: "));
    assertTrue(refused(of("a b", frames())).startsWith("device: "));
    byte[] more = Arrays.copyOf(bytes(snapshot()), bytes(snapshot()).length + 1);
    assertTrue(
        assertThrows(IOException.class, () -> read(more))
            .getMessage()
            .startsWith("the file goes on"));
    byte[] newer = bytes(snapshot());
    newer[11] = 2;
    assertTrue(
        assertThrows(IOException.class, () -> read(newer)).getMessage().startsWith("version: 2"));
    assertThrows(IOException.class, () -> read(new byte[1000]));
  }

  private static DeviceState frames(Frame... frames) {
    return new DeviceState(OptionalInt.of(1), List.of(frames), Map.of());
  }

  private static Snapshot of(HeadState head) {
    return of("sim0", new DeviceState(OptionalInt.of(1), List.of(), Map.of(1, head)));
  }

  private static Snapshot of(DeviceState device) {
    return of("sim0", device);
  }

  private static Snapshot of(String id, DeviceState device) {
    return new Snapshot(RUN, new int[CAPACITY], Map.of(id, device));
  }

  @Property(tries = 300)
  void noBytesDoMoreThanBeRefused(
      @ForAll @IntRange(max = 500) int at, @ForAll byte changed, @ForAll boolean cut)
      throws IOException {
    byte[] bytes = bytes(snapshot());
    int place = at % bytes.length;
    bytes[place] = changed;
    byte[] hostile = cut ? Arrays.copyOf(bytes, place) : bytes;
    try {
      Snapshot read = read(hostile);
      assertFalse(cut, "what is cut off is noticed");
      assertEquals(CAPACITY, read.generations().length);
    } catch (IOException e) {
      assertFalse(Arrays.equals(bytes(snapshot()), hostile), "nothing was changed");
    }
  }

  @Example
  void aFileIsTakenOnceAndWhatIsNoneIsNotLeft() throws IOException {
    Path folder = Files.createTempDirectory("isle");
    Path path = folder.resolve("screens");
    try {
      SnapshotFile file = new SnapshotFile(path);
      assertTrue(file.take(CAPACITY).isEmpty());
      file.put(snapshot());
      assertEquals(RUN, file.take(CAPACITY).orElseThrow().lineage());
      assertTrue(file.take(CAPACITY).isEmpty());
      Files.write(path, new byte[] {1});
      assertThrows(IOException.class, () -> file.take(CAPACITY));
      assertFalse(Files.exists(path));
      String long64k = "x".repeat(70_000);
      assertThrows(
          IOException.class,
          () -> file.put(new Snapshot(new Lineage(long64k, 1, 2, 3), new int[0], Map.of())));
      assertFalse(Files.exists(path));
    } finally {
      Files.deleteIfExists(path);
      Files.delete(folder);
    }
  }

  @Example
  void whatOthersHaveIssuedIsGoodAsLongAsTheyRun() {
    Snapshot all = snapshot();
    assertTrue(all.in(new Lineage("run-2", 11, 12, 13)).isEmpty());
    assertEquals(all.devices(), all.in(RUN).orElseThrow().devices(), "the very same");
    DeviceState other = all.in(new Lineage("run-1", 0, 12, 13)).orElseThrow().devices().get("sim0");
    assertEquals(List.of(), other.frames());
    assertEquals(OptionalInt.of(7), other.epoch());
    assertEquals(Optional.empty(), other.heads().get(1).screen().shown());
    assertEquals(Optional.of(MODE), other.heads().get(1).screen().mode());
    for (Lineage now :
        List.of(
            new Lineage("run-1", 11, 0, 13),
            new Lineage("run-1", 11, 22, 13),
            new Lineage("run-1", 11, 12, 0),
            new Lineage("run-1", 11, 12, 23))) {
      DeviceState later = all.in(now).orElseThrow().devices().get("sim0");
      assertEquals(OptionalInt.empty(), later.epoch());
      assertEquals(List.of(FRAME), later.frames());
    }
  }
}
