package io.isle.core.drivers.nativecode;

import io.isle.api.base.Ids;
import io.isle.api.base.Setting;
import io.isle.api.device.Priority;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.ContextArgs;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.DeviceSeed;
import io.isle.core.drivers.nativecode.control.CoreConnection;
import io.isle.core.drivers.nativecode.host.Sandbox;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A native driver's device, by default the software accelerator, opened for a test, with a
 * hand-written tenant.
 */
public final class SoftDevice implements AutoCloseable {
  public static final Path NATIVE = Path.of(System.getProperty("isle.native"));
  static final NativeRuntime RUNTIME = new NativeRuntime(NATIVE, 50, Sandbox.DEFAULT);
  public static final long CONTEXT = Ids.of(Ids.CONTEXT, 1, 0);
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);

  final NativeDriver driver;
  final NativeOpened opened;
  public final AccelDevice device;
  public final CompletableFuture<String> lost = new CompletableFuture<>();
  public final List<Ended> ended = new ArrayList<>();
  private final FakeAttachment attachment;
  private int next;

  /** What the core's sink says to completions. */
  int answer;

  /** A completion. */
  public record Ended(long tag, int status, int detail, long busyNs) {}

  public SoftDevice(int tier, Map<String, String> settings) {
    this(NATIVE.resolve("libsoftaccel.so"), tier, settings);
  }

  public SoftDevice(Path library, int tier, Map<String, String> settings) {
    this(library, tier, settings, new FakeAttachment());
  }

  /** With an attachment that other processes may share. */
  SoftDevice(Path library, int tier, Map<String, String> settings, FakeAttachment attachment) {
    this.attachment = attachment;
    CompletionSink sink =
        (tag, status, start, end, busy, detail) -> {
          ended.add(new Ended(tag, status, detail, busy));
          return answer;
        };
    driver = NativeDriver.look(RUNTIME, library, line -> {});
    Map<String, String> values = new HashMap<>();
    for (Setting setting : driver.info().settings()) {
      values.put(setting.key(), setting.normalise(setting.defaultValue()));
    }
    values.putAll(settings);
    DeviceSpec spec = new DeviceSpec("soft0", new DeviceSeed("0", "", "test"), tier, true, values);
    opened =
        driver.open(
            spec, 1, CoreConnection.of(attachment, sink), cause -> lost.complete(cause.text()));
    device = opened.device();
  }

  public void context(long maxMemory) {
    device.createContext(
        CONTEXT,
        new ContextArgs(
            (int) ProcessHandle.current().pid(), Priority.NORMAL, maxMemory, 5_000_000, 0, 0));
  }

  /**
   * Submits a dispatch without arguments of a loaded program; returns its tag or a negative code.
   */
  public long dispatch(long program) {
    return dispatch(program, CONTEXT);
  }

  long dispatch(long program, long context) {
    long at = nextSlot();
    return submit(context, at, Dispatch.write(attachment.commands().memory(), at, program));
  }

  /** Submits an operation of the driver's own; returns its tag or a negative code. */
  long vendor(int word) {
    return vendor(word, 0);
  }

  /** The same with a second word. */
  long vendor(int word, int second) {
    long at = nextSlot();
    return submit(
        CONTEXT, at, Dispatch.writeVendor(attachment.commands().memory(), at, word, second));
  }

  /** Submits that many bytes, whatever they are; returns the tag or a negative code. */
  long bytes(int length) {
    return submit(CONTEXT, nextSlot(), length);
  }

  private long nextSlot() {
    return (next++ & 63) * 4096L;
  }

  private long submit(long context, long at, int length) {
    long tag = (1L << 32) | (next & 1023);
    int result = device.submit(context, tag, attachment.commands().memory(), at, length);
    return result < 0 ? result : tag;
  }

  /** Polls until {@code count} submissions have ended. */
  public void awaitEnded(int count) {
    long deadline = System.nanoTime() + PATIENCE_NS;
    while (ended.size() < count) {
      attachment.bells.look();
      if (device.poll(64) == 0) {
        attachment.bells.await(1_000_000, true);
      }
      if (System.nanoTime() > deadline) {
        throw new AssertionError(ended.size() + " of " + count + " ended");
      }
    }
  }

  /** Polls until the start of a submission is told; returns its time. */
  long awaitStart(long tag) {
    long deadline = System.nanoTime() + PATIENCE_NS;
    while (!attachment.starts.containsKey(tag)) {
      device.poll(64);
      Thread.onSpinWait();
      if (System.nanoTime() > deadline) {
        throw new AssertionError("no start of " + tag);
      }
    }
    return attachment.starts.get(tag);
  }

  /** The memory that the device shares with the core is unmapped before the device is closed. */
  void closeAttachment() {
    attachment.close();
  }

  @Override
  public void close() {
    device.close();
    closeAttachment();
  }
}
