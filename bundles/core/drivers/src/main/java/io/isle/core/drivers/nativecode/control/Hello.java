package io.isle.core.drivers.nativecode.control;

import io.isle.api.base.Errno;
import io.isle.api.base.Setting;
import io.isle.api.driver.DeviceSeed;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.DriverInfo;
import io.isle.lib.kabi.CStruct;
import io.isle.lib.kabi.ControlOp;
import io.isle.lib.kabi.KabiStructs;
import io.isle.lib.kabi.WireStructs;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The driver's first answer in the negotiation.
 *
 * @param info checked
 */
public record Hello(DriverInfo info) {
  private static final int MAX_SETTINGS = 100;
  private static final int MAX_SEEDS = 64;
  private static final long PROBE_BOUND_NS = 2 * ControlClient.BOUND_NS;

  public static Hello ask(ControlClient control) {
    CStruct type = WireStructs.HELLO;
    CStruct one = WireStructs.SETTING_TEXT;
    MemorySegment reply = control.call(ControlOp.HELLO).as(type, ControlOp.HELLO);
    String name = type.text(reply, "name");
    if (!name.matches("[a-z][a-z0-9]{0,15}")) {
      throw new DriverException(
          Errno.EPROTO, "the driver's name '" + name + "' is not [a-z][a-z0-9]{0,15}");
    }
    int count = Decoder.range("setting_count", type.get(reply, "setting_count"), 0, MAX_SETTINGS);
    if (reply.byteSize() != type.size() + count * one.size()) {
      throw new DriverException(Errno.EPROTO, "the driver announced " + count + " settings");
    }
    List<Setting> settings = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      settings.add(Decoder.setting(reply.asSlice(type.size() + i * one.size(), one.size())));
    }
    return new Hello(
        new DriverInfo(
            name, type.text(reply, "version"), type.getInt(reply, "kabi_version"), settings, true));
  }

  /** Asks for the devices, too, each of which has the time of a call, and all together 10 s. */
  public ProbeResult introduce(ControlClient control, LongSupplier clock) {
    long begun = clock.getAsLong();
    List<DeviceSeed> seeds = new ArrayList<>();
    for (int i = 0; i <= MAX_SEEDS; i++) {
      long left = Math.max(0, PROBE_BOUND_NS - (clock.getAsLong() - begun));
      var reply =
          control.exchange(
              ControlOp.PROBE, Segments.number(i), Math.min(left, ControlClient.BOUND_NS));
      if (reply.result() == -Errno.ENOENT) {
        String missing = i == 0 ? ControlClient.text(reply.body()) : "";
        return new ProbeResult(info, seeds, missing);
      }
      if (reply.result() < 0) {
        throw ControlClient.refused(ControlOp.PROBE, reply.result(), "");
      }
      if (i == MAX_SEEDS) {
        break;
      }
      seeds.add(Decoder.seed(reply.as(KabiStructs.DEVICE_SEED, ControlOp.PROBE)));
    }
    throw new DriverException(
        Errno.EPROTO, "the driver reports more than " + MAX_SEEDS + " devices");
  }
}
