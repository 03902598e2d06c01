package io.isle.faces.shell.display;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Accelerator;
import io.isle.api.accel.Accelerators;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.Context;
import io.isle.api.accel.Mapping;
import io.isle.api.accel.MemoryObject;
import io.isle.api.base.Errno;
import io.isle.api.device.DisplayConnector;
import io.isle.api.device.DisplayMode;
import io.isle.api.device.DpmsState;
import io.isle.api.device.PixelFormat;
import io.isle.api.device.ScanoutStatus;
import io.isle.api.display.Display;
import io.isle.api.display.DisplayAdmin;
import io.isle.api.display.DisplayInfo;
import io.isle.api.display.Displays;
import io.isle.api.display.Framebuffer;
import io.isle.api.display.Picture;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Proxy;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** A platform with one device, display0: connector 1 has a screen, connector 2 has none. */
final class FakeScreens {
  static final DisplayMode SMALL = new DisplayMode(16, 4, 59_940, 25_175, 1, 1, 1, 1, 1, 1, false);
  static final DisplayMode FAST = new DisplayMode(32, 8, 144_000, 50_000, 1, 1, 1, 1, 1, 1, false);
  static final DisplayMode SLOW = new DisplayMode(32, 8, 60_000, 25_000, 1, 1, 1, 1, 1, 1, true);
  static final List<DisplayMode> MODES = List.of(FAST, SLOW, SMALL);
  private static final ValueLayout.OfInt PIXEL =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  final List<String> asked = new ArrayList<>();
  DisplayMode mode;
  int awaited;

  /** Flips that are refused, for another waits. */
  int busy;

  int contexts;
  private DpmsState dpms = DpmsState.ON;
  private Memory shown;
  private long point;
  private final Display display = calls(Display.class, answers());

  private Map<String, Function<Object[], Object>> answers() {
    Map<String, Function<Object[], Object>> answers = new HashMap<>();
    answers.put("device", args -> "display0");
    answers.put("modes", args -> (int) args[0] == 1 ? MODES : List.of());
    answers.put("setMode", args -> set((DisplayMode) args[1]));
    answers.put("setDpms", args -> set((DpmsState) args[1]));
    answers.put("setVariableRefresh", args -> asked.add("vrr " + args[1]));
    answers.put("status", args -> status());
    answers.put(
        "framebuffer",
        args -> new Frame((Memory) args[0], (int) args[1], (int) args[2], (PixelFormat) args[3]));
    answers.put("flip", args -> flip((Frame) args[1]));
    answers.put("await", args -> awaited);
    answers.put("capture", args -> picture());
    answers.put("edid", args -> edid());
    return answers;
  }

  private record Frame(Memory memory, int width, int height, PixelFormat format)
      implements Framebuffer {
    @Override
    public long id() {
      return 1;
    }
  }

  private final class Memory implements Buffer {
    private final MemorySegment bytes;

    Memory(long size) {
      bytes = Arena.ofAuto().allocate(size);
    }

    @Override
    public long id() {
      return 2;
    }

    @Override
    public long size() {
      return bytes.byteSize();
    }

    @Override
    public MemoryObject memory() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Mapping map() {
      return calls(
          Mapping.class, Map.of("segment", args -> bytes, "flush", args -> 0, "close", args -> 0));
    }

    @Override
    public void close() {
      asked.add("close");
    }
  }

  DisplayAdmin admin() {
    return calls(DisplayAdmin.class, Map.of("displays", args -> rows(), "modes", args -> MODES));
  }

  Displays displays() {
    return calls(Displays.class, Map.of("of", args -> display));
  }

  Screens screens() {
    Accelerator accelerator = calls(Accelerator.class, Map.of("open", args -> context()));
    Capability capability = calls(Capability.class, Map.of("valid", args -> true));
    Screens screens =
        new Screens(
            calls(Accelerators.class, Map.of("find", args -> accelerator)),
            calls(Capabilities.class, Map.of("issue", args -> capability)));
    screens.bind(displays());
    return screens;
  }

  private List<DisplayInfo> rows() {
    return List.of(
        new DisplayInfo(
            "display0",
            new DisplayConnector(1, DisplayConnector.Type.HDMI, 32, 8, true, mode != null),
            Optional.of(status())),
        new DisplayInfo(
            "display0",
            new DisplayConnector(2, DisplayConnector.Type.VGA, 0, 0, false, false),
            Optional.empty()));
  }

  private ScanoutStatus status() {
    return new ScanoutStatus(
        point,
        5,
        6,
        7,
        8,
        Optional.ofNullable(mode),
        dpms,
        48_000,
        144_000,
        3,
        true,
        false,
        false,
        false);
  }

  private boolean set(DisplayMode wanted) {
    mode = wanted;
    return asked.add("mode " + wanted.text());
  }

  private boolean set(DpmsState state) {
    dpms = state;
    return asked.add("dpms " + state.text());
  }

  private Context context() {
    contexts++;
    return calls(
        Context.class,
        Map.of("awaitUsable", args -> 0, "allocate", args -> new Memory((long) args[0])));
  }

  /** A base block that names itself, without timings. */
  private static byte[] edid() {
    byte[] block = new byte[128];
    Arrays.fill(block, 1, 7, (byte) 0xff);
    block[8] = 0x26;
    block[9] = 0x6c;
    block[18] = 1;
    block[19] = 4;
    byte[] name = "ISLE".getBytes(StandardCharsets.US_ASCII);
    block[57] = (byte) 0xfc;
    System.arraycopy(name, 0, block, 59, name.length);
    block[63] = '\n';
    int sum = 0;
    for (byte b : block) {
      sum += b;
    }
    block[127] = (byte) -sum;
    return block;
  }

  private long flip(Frame frame) {
    if (busy > 0) {
      busy--;
      throw new AccelException(Errno.EBUSY, "a flip waits");
    }
    shown = frame.memory();
    asked.add("flip");
    return ++point;
  }

  /** Red, green and blue of what is shown. */
  int shownPixel(int x, int y) {
    return shown.bytes.getAtIndex(PIXEL, (long) y * mode.width() + x);
  }

  private Picture picture() {
    int[] rgb = new int[mode.width() * mode.height()];
    for (int i = 0; shown != null && i < rgb.length; i++) {
      rgb[i] = shown.bytes.getAtIndex(PIXEL, i);
    }
    return new Picture(point, mode.width(), mode.height(), rgb);
  }

  static <S> S calls(Class<S> type, Map<String, Function<Object[], Object>> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, called, args) -> {
              Function<Object[], Object> answer = answers.get(called.getName());
              if (answer == null) {
                throw new AssertionError(called);
              }
              Object result = answer.apply(args);
              return called.getReturnType() == void.class ? null : result;
            }));
  }
}
