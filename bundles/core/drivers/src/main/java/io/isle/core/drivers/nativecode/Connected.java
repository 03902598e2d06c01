package io.isle.core.drivers.nativecode;

import io.isle.api.base.Errno;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.DriverException;
import io.isle.core.drivers.driver.LastError;
import io.isle.core.drivers.nativecode.control.ControlClient;
import io.isle.core.drivers.nativecode.control.CoreConnection;
import io.isle.core.drivers.nativecode.control.Lane;
import io.isle.core.drivers.nativecode.control.Negotiation;
import io.isle.core.drivers.nativecode.control.OpenCall;
import io.isle.core.drivers.nativecode.control.Segments;
import io.isle.core.drivers.nativecode.device.NativeDevice;
import io.isle.core.drivers.nativecode.host.Sandbox;
import io.isle.lib.kabi.ControlOp;
import io.isle.lib.shm.LogLines;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A lane whose driver knows the memory that the core shares with it. */
record Connected(Lane lane, ControlClient control, List<String> sandbox) {
  /**
   * Tells the driver.
   *
   * @param lane is closed when this throws
   */
  static Connected to(Lane lane, CoreConnection connection) {
    try {
      ControlClient control = new ControlClient(lane);
      Segments.offer(lane, control, connection);
      return new Connected(lane, control, Sandbox.report(lane, control));
    } catch (RuntimeException | Error e) {
      lane.close();
      throw e;
    }
  }

  /** As {@link NativeDriver#open}; the lane is closed when this throws. */
  NativeOpened open(DeviceSpec spec, CoreConnection connection, Consumer<RecoveryCause> lost) {
    long logged = lane.log().next();
    try {
      Negotiation negotiation = OpenCall.open(control, spec);
      checkTier(negotiation);
      NativeDevice device =
          new NativeDevice(
              lane, control, negotiation, connection.completions(), connection.starts()::started);
      lane.listen();
      lane.onLost(lost);
      return new NativeOpened(device, lane, sandbox);
    } catch (DriverException e) {
      DriverException told = LastError.in(e, lastError(logged));
      lane.close();
      throw told;
    } catch (RuntimeException | Error e) {
      lane.close();
      throw e;
    }
  }

  /** Of handlers the process gets signals, which the platform's process needs itself. */
  private void checkTier(Negotiation negotiation) {
    if (negotiation.has(Negotiation.HPU) && lane.hostPid().isEmpty()) {
      var ignored = control.call(ControlOp.CLOSE);
      throw new DriverException(
          Errno.ENOTSUP,
          "tier: the driver runs handlers of packets, whose traps are signals, and needs a process"
              + " of its own; set tier=2");
    }
  }

  /** What a driver that died in the meantime logged is there still. */
  private Optional<String> lastError(long from) {
    return lane.log().since(from).reversed().stream()
        .filter(LogLines.Line::error)
        .map(LogLines.Line::text)
        .findFirst();
  }
}
