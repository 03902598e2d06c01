package io.isle.core.display.state;

import io.isle.api.base.Ids;
import io.isle.api.device.DisplayMode;
import io.isle.api.device.DpmsState;
import io.isle.api.device.PixelFormat;
import io.isle.api.display.Display;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Reads what {@link SnapshotWriter} has written, and believes none of it unseen. */
final class SnapshotReader {
  /** The first eight bytes, "isledisp". */
  static final long MAGIC = 0x69736c6564697370L;

  static final int VERSION = 1;
  private static final int MAX_DEVICES = 4096;
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._:-]{1,255}");
  private static final Pattern RUN = Pattern.compile("[A-Za-z0-9-]{1,64}");

  private final DataInputStream in;
  private final int capacity;

  /** By id; of all devices, for ids are the node's. */
  private final Map<Long, Frame> frames = new HashMap<>();

  /**
   * @param capacity ids of framebuffers that there are
   */
  SnapshotReader(InputStream in, int capacity) {
    this.in = new DataInputStream(in);
    this.capacity = capacity;
  }

  /**
   * @throws IOException naming what cannot be, or at the end of the bytes
   */
  Snapshot read() throws IOException {
    if (in.readLong() != MAGIC) {
      throw new IOException("the file does not begin with the magic number of saved screens");
    }
    int version = in.readInt();
    if (version != VERSION) {
      throw new IOException("version: " + version + " is not " + VERSION);
    }
    Lineage lineage =
        new Lineage(text("framework", RUN), number("memory"), number("drivers"), number("devices"));
    int[] generations = new int[in.readInt() == capacity ? capacity : wrong("generations")];
    for (int i = 0; i < capacity; i++) {
      generations[i] = range("generation", 0, Ids.MAX_GENERATION);
    }
    Map<String, DeviceState> devices = new TreeMap<>();
    for (int left = range("devices", 0, MAX_DEVICES); left > 0; left--) {
      if (devices.put(text("device", NAME), device(lineage.memory())) != null) {
        throw new IOException("device: the same device is given twice");
      }
    }
    if (in.read() >= 0) {
      throw new IOException("the file goes on after its announced end");
    }
    return new Snapshot(lineage, generations, devices);
  }

  private DeviceState device(long issuer) throws IOException {
    boolean opened = in.readBoolean();
    int epoch = range("epoch", 0, Integer.MAX_VALUE);
    List<Frame> own = new ArrayList<>();
    for (int left = range("framebuffers", 0, capacity); left > 0; left--) {
      own.add(frame(issuer));
    }
    Map<Integer, HeadState> heads = new TreeMap<>();
    for (int left = range("connectors", 0, DeviceState.MAX_HEADS); left > 0; left--) {
      if (heads.put(in.readInt(), head(own)) != null) {
        throw new IOException("connector: the same connector is given twice");
      }
    }
    return new DeviceState(opened ? OptionalInt.of(epoch) : OptionalInt.empty(), own, heads);
  }

  private Frame frame(long issuer) throws IOException {
    long id = in.readLong();
    if (Ids.kind(id) != Ids.FRAMEBUFFER || Ids.index(id) < 0 || Ids.index(id) >= capacity) {
      throw new IOException("framebuffer: " + Ids.text(id) + " is not the id of a framebuffer");
    }
    String owner = text("owner", NAME);
    String tenant = text("tenant", NAME);
    long memory = in.readLong();
    if (Ids.kind(memory) != Ids.MEMORY) {
      throw new IOException("memory: " + Ids.text(memory) + " is not the id of memory");
    }
    int width = range("width", 1, DisplayMode.MAX_SIDE);
    int height = range("height", 1, DisplayMode.MAX_SIDE);
    Frame frame = new Frame(id, owner, tenant, memory, issuer, width, height, format());
    if (frames.put(id, frame) != null) {
      throw new IOException("framebuffer: " + Ids.text(id) + " is given twice");
    }
    return frame;
  }

  private PixelFormat format() throws IOException {
    int code = in.readInt();
    for (PixelFormat format : PixelFormat.values()) {
      if (format.code() == code) {
        return format;
      }
    }
    throw new IOException("format: " + code + " is not a pixel format");
  }

  private HeadState head(List<Frame> own) throws IOException {
    ScreenState screen = screen(own);
    long asked = number("asked");
    long reached = number("reached");
    if (reached > asked) {
      throw new IOException("reached: " + reached + " is more than " + asked);
    }
    List<Long> interrupted = new ArrayList<>();
    for (int left = range("interrupted", 0, HeadState.REMEMBERED); left > 0; left--) {
      long point = number("interrupted");
      if (point > reached || (!interrupted.isEmpty() && point <= interrupted.getLast())) {
        throw new IOException("interrupted: point " + point + " is out of order or not reached");
      }
      interrupted.add(point);
    }
    long told = in.readLong();
    long before = in.readLong();
    int plugged = in.readInt();
    boolean known = in.readBoolean();
    boolean connected = in.readBoolean();
    return new HeadState(
        screen,
        asked,
        reached,
        interrupted,
        told,
        before,
        plugged,
        known ? Optional.of(connected) : Optional.empty());
  }

  private ScreenState screen(List<Frame> own) throws IOException {
    Optional<DisplayMode> mode = in.readBoolean() ? Optional.of(mode()) : Optional.empty();
    int number = in.readInt();
    DpmsState dpms =
        DpmsState.of(number)
            .orElseThrow(() -> new IOException("dpms: " + number + " is not a power state"));
    boolean variableRefresh = in.readBoolean();
    Optional<ScreenState.Cursor> cursor =
        in.readBoolean() ? Optional.of(cursor()) : Optional.empty();
    long shown = in.readLong();
    if (shown != 0 && own.stream().noneMatch(frame -> frame.id() == shown)) {
      throw new IOException("shown: " + Ids.text(shown) + " is not a framebuffer of the device");
    }
    return new ScreenState(
        mode, dpms, variableRefresh, cursor, Optional.ofNullable(frames.get(shown)));
  }

  /** Any: a driver refuses what its screen lacks. */
  private DisplayMode mode() throws IOException {
    return new DisplayMode(
        in.readInt(),
        in.readInt(),
        in.readInt(),
        in.readInt(),
        in.readInt(),
        in.readInt(),
        in.readInt(),
        in.readInt(),
        in.readInt(),
        in.readInt(),
        in.readBoolean());
  }

  private ScreenState.Cursor cursor() throws IOException {
    int width = range("cursor", 1, Display.MAX_CURSOR);
    int height = range("cursor", 1, Display.MAX_CURSOR);
    int x = range("x", 0, Integer.MAX_VALUE);
    int y = range("y", 0, Integer.MAX_VALUE);
    int[] argb = new int[width * height];
    for (int i = 0; i < argb.length; i++) {
      argb[i] = in.readInt();
    }
    return new ScreenState.Cursor(width, height, x, y, new ScreenState.Pixels(argb));
  }

  private String text(String field, Pattern form) throws IOException {
    String text = in.readUTF();
    if (!form.matcher(text).matches()) {
      throw new IOException(field + ": the value is not " + form);
    }
    return text;
  }

  private long number(String field) throws IOException {
    long number = in.readLong();
    if (number < 0) {
      throw new IOException(field + ": " + number + " is less than 0");
    }
    return number;
  }

  private int range(String field, int least, int most) throws IOException {
    int number = in.readInt();
    if (number < least || number > most) {
      throw new IOException(field + ": " + number + " is not in " + least + ".." + most);
    }
    return number;
  }

  private static int wrong(String field) throws IOException {
    throw new IOException(field + ": the number of entries is wrong");
  }
}
