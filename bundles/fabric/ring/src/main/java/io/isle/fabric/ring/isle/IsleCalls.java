package io.isle.fabric.ring.isle;

import static io.isle.api.base.Errno.EAGAIN;
import static io.isle.api.base.Errno.EMSGSIZE;
import static io.isle.api.base.Errno.ENOTCONN;

import io.isle.fabric.ring.link.Caller;
import io.isle.fabric.ring.link.Link;
import io.isle.lib.leap.Control;
import io.isle.lib.leap.Packets;
import io.isle.lib.leap.isle.IsleFrame;
import java.lang.foreign.MemorySegment;

/**
 * The data calls of a link of dialect isle, as of {@link Link}: each drives the link while it
 * lasts. Allocates nothing.
 */
final class IsleCalls {
  private final int packetBytes;
  private final IsleMachine machine;
  private final IsleDrive drive;

  /** Of the last received packet; the receiving thread's. */
  private boolean control;

  private long number;

  IsleCalls(IsleSpec spec, IsleMachine machine, IsleDrive drive) {
    packetBytes = spec.packetBytes();
    this.machine = machine;
    this.drive = drive;
  }

  long receive(MemorySegment into, long offset, long timeoutNs, Caller caller) {
    drive.receiving().begin();
    drive.lock().enter();
    try {
      while (true) {
        long now = System.nanoTime();
        // a call that has slept finds what the poll behind its sleep has read
        boolean vain = drive.receiving().hasSlept() && !machine.hasPacket();
        long result = vain ? -EAGAIN : machine.receive(into, offset, now);
        if (result < 0 && timeoutNs > 0 && !vain) {
          result = machine.spin(into, offset, now);
        }
        if (vain) {
          drive.looked();
        } else {
          drive.used(now);
        }
        if (result > 0) {
          control = machine.isControl();
          number = machine.received();
          return result;
        }
        result =
            drive
                .receiving()
                .pause(machine.isUp() ? -EAGAIN : -ENOTCONN, timeoutNs, Long.MAX_VALUE, caller);
        if (result < 0) {
          return result;
        }
      }
    } finally {
      drive.lock().leave();
    }
  }

  boolean mayBeControl() {
    return control;
  }

  long number() {
    return number;
  }

  long sendControl(MemorySegment packet, long timeoutNs, Caller caller) {
    if (!Packets.holdControl(packetBytes)) {
      return -EMSGSIZE;
    }
    long sent =
        send(
            IsleFrame.CONTROL,
            packet,
            0,
            packet,
            Control.MARKER_BYTES,
            Control.MESSAGE_BYTES,
            timeoutNs,
            caller);
    return sent < 0 ? sent : packetBytes;
  }

  long send(
      int kind,
      MemorySegment head,
      long headLength,
      MemorySegment data,
      long offset,
      long length,
      long timeoutNs,
      Caller caller) {
    drive.sending().begin();
    drive.lock().enter();
    try {
      while (true) {
        long now = System.nanoTime();
        long result = machine.send(kind, head, headLength, data, offset, length, now);
        drive.used(now);
        if (result == 0) {
          return headLength + length;
        }
        result =
            drive
                .sending()
                .pause(machine.isUp() ? -EAGAIN : -ENOTCONN, timeoutNs, Long.MAX_VALUE, caller);
        if (result < 0) {
          return result;
        }
      }
    } finally {
      drive.lock().leave();
    }
  }

  MemorySegment claim() {
    drive.lock().enter();
    try {
      long now = System.nanoTime();
      MemorySegment memory = machine.claim(now);
      drive.used(now);
      return memory;
    } finally {
      drive.lock().leave();
    }
  }

  long commit(MemorySegment packet, long timeoutNs, Caller caller) {
    drive.sending().begin();
    drive.lock().enter();
    try {
      while (true) {
        long now = System.nanoTime();
        long result = machine.commit(packet, now);
        drive.used(now);
        if (result == 0) {
          return packetBytes;
        }
        result = drive.sending().pause(result, timeoutNs, Long.MAX_VALUE, caller);
        if (result < 0) {
          return result;
        }
      }
    } finally {
      drive.lock().leave();
    }
  }

  void abandon() {
    drive.lock().enter();
    try {
      machine.abandon();
    } finally {
      drive.lock().leave();
    }
  }

  void revoke() {
    drive.lock().enter();
    try {
      machine.revoke();
    } finally {
      drive.lock().leave();
    }
  }

  long take(Link.Wanted wanted) {
    drive.lock().enter();
    try {
      long now = System.nanoTime();
      MemorySegment packet = machine.peek(now);
      drive.used(now);
      if (packet == null || !wanted.accepts(packet, machine.isControlNext())) {
        return -EAGAIN;
      }
      machine.remove(now);
      return packetBytes;
    } finally {
      drive.lock().leave();
    }
  }
}
