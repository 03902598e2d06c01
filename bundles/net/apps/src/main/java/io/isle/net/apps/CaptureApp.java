package io.isle.net.apps;

import io.isle.api.base.Errno;
import io.isle.api.base.Setting;
import io.isle.api.base.SettingsSchema;
import io.isle.api.net.FramePort;
import io.isle.api.net.NetApp;
import io.isle.api.net.NetAppTask;
import io.isle.api.net.NetException;
import io.isle.lib.packet.capture.CaptureReader;
import io.isle.lib.packet.capture.LinkType;
import io.isle.lib.packet.capture.PcapngWriter;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;

/** The kind {@code capture}: writes the frames of a net's tap to a file in the format pcapng. */
@Component(property = NetApp.KIND_PROPERTY + "=" + CaptureApp.KIND)
public final class CaptureApp implements NetApp {
  static final String KIND = "capture";

  private static final long SECOND_NS = 1_000_000_000;
  private static final int BUFFER_BYTES = 1 << 18;
  private static final long MOST_SECONDS = 7 * 86_400;

  private static final Setting OUT =
      Setting.string("out", "", "absolute path of the file, which is replaced");
  private static final Setting NAME =
      Setting.string("name", "net", "name of the interface in the file");
  private static final Setting PORT =
      Setting.integer("port", 0, 65535, 0, "UDP port of sender or receiver; 0: any");
  private static final Setting HOST =
      Setting.string("host", "", "IPv4 address of sender or receiver; empty: any");
  private static final Setting DROPPED =
      Setting.bool("dropped", false, "whether only dropped frames are written");
  private static final Setting SNAP =
      Setting.integer("snap", 14, CaptureReader.MAX_FRAME_BYTES, 65535, "most bytes of a frame");
  private static final Setting SECONDS =
      Setting.integer("seconds", 0, MOST_SECONDS, 0, "time after which the app ends; 0: no end");

  @SettingsSchema(app = KIND)
  static final List<Setting> SCHEMA = List.of(OUT, NAME, PORT, HOST, DROPPED, SNAP, SECONDS);

  private static final Set<OpenOption> OPTIONS =
      Set.of(
          StandardOpenOption.WRITE,
          StandardOpenOption.CREATE,
          StandardOpenOption.TRUNCATE_EXISTING,
          LinkOption.NOFOLLOW_LINKS);

  private final Clock clock;

  /** Times by the clock of this machine. */
  @Activate
  public CaptureApp() {
    this(Clock.systemUTC());
  }

  CaptureApp(Clock clock) {
    this.clock = clock;
  }

  @Override
  public List<Setting> settings() {
    return SCHEMA;
  }

  @Override
  public boolean isTap() {
    return true;
  }

  @Override
  public NetAppTask open(FramePort port, Map<String, String> settings) {
    Values values = Values.checked(KIND, settings(), settings);
    CaptureFilter filter =
        new CaptureFilter((int) values.number(PORT), values.address(HOST), values.flag(DROPPED));
    String out = values.text(OUT);
    if (!out.startsWith("/") || out.indexOf('\0') >= 0) {
      throw Values.refused("out: '" + Values.shown(out) + "' is no absolute path");
    }
    try {
      return new CaptureTask(
          port,
          writer(Path.of(out), values),
          filter,
          values.number(SECONDS) * SECOND_NS,
          epochOffset());
    } catch (IOException e) {
      throw new NetException(Errno.EIO, "out: " + Values.shown(out) + ": " + e, e);
    }
  }

  /** Frames are nobody else's business. */
  private static PcapngWriter writer(Path out, Values values) throws IOException {
    OutputStream file =
        Channels.newOutputStream(
            Files.newByteChannel(
                out,
                OPTIONS,
                PosixFilePermissions.asFileAttribute(
                    PosixFilePermissions.fromString("rw-------"))));
    try {
      PcapngWriter writer =
          new PcapngWriter(
              new BufferedOutputStream(file, BUFFER_BYTES), "isle", (int) values.number(SNAP));
      writer.addInterface(values.text(NAME), LinkType.ETHERNET);
      return writer;
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /** From times of {@link System#nanoTime} to nanoseconds since 1970. */
  private long epochOffset() {
    Instant now = clock.instant();
    return now.getEpochSecond() * SECOND_NS + now.getNano() - System.nanoTime();
  }
}
