package io.isle.core.display;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import io.isle.api.device.PixelFormat;
import io.isle.api.driver.DeviceSession;
import io.isle.api.driver.Display;
import io.isle.api.tenancy.Capability;
import io.isle.core.display.state.Frame;

/** Makes framebuffers of one device, and shows them. Thread-safe. */
final class DeviceFramebuffers {
  /** Framebuffers that an owner of displays may have left on a device without a word of them. */
  private static final int LEFT_BEHIND = 256;

  private final SessionCalls calls;
  private final PinnedMemory memory;
  private final DeviceFrames frames;
  private final DeviceScreens screens;

  DeviceFramebuffers(
      SessionCalls calls, PinnedMemory memory, DeviceFrames frames, DeviceScreens screens) {
    this.calls = calls;
    this.memory = memory;
    this.frames = frames;
    this.screens = screens;
  }

  /** Makes one of memory that is held meanwhile. */
  Frame create(
      Capability capability, PinnedMemory.Held held, int width, int height, PixelFormat format) {
    return calls.with(
        session -> {
          if (held.epoch() != session.epoch()) {
            throw calls.recovers("framebuffer", null);
          }
          for (int tries = 0; ; tries++) {
            long id = frames.take(capability.owner());
            try {
              return make(
                  session,
                  new Frame(
                      id,
                      capability.owner(),
                      capability.tenant(),
                      held.memory(),
                      held.issuer(),
                      width,
                      height,
                      format));
            } catch (AccelException e) {
              if (e.code() != Errno.EEXIST || tries == LEFT_BEHIND) {
                throw e;
              }
            }
          }
        });
  }

  private Frame make(DeviceSession session, Frame frame) {
    String what = "framebuffer";
    boolean made = false;
    try {
      calls.run(
          session,
          what,
          display ->
              display.createFramebuffer(
                  frame.id(), frame.memory(), frame.width(), frame.height(), frame.format()));
      calls.change(session, what, () -> frames.add(frame));
      made = true;
      return frame;
    } finally {
      if (!made) {
        frames.cancel(frame.id());
      }
    }
  }

  /**
   * Shows one.
   *
   * @param framebuffer id
   * @return the core's point
   */
  long flip(Capability capability, int connector, long framebuffer) {
    return calls.with(
        session -> {
          Frame frame = frames.find(framebuffer).orElseThrow(PinnedMemory::gone);
          if (!frame.tenant().equals(capability.tenant())) {
            throw new AccelException(
                Errno.EACCES, "framebuffer: the framebuffer belongs to another tenant");
          }
          memory.check(frame);
          return calls.call(
              session,
              "flip",
              Display.class,
              display -> {
                long told = display.flip(connector, frame.id());
                return calls.keep(session, "flip", () -> screens.flipped(connector, told, frame));
              });
        });
  }

  /** Ids of those whose memory is gone can be taken again. */
  void prune() {
    frames.prune(memory::isGone);
  }

  /** None is kept any more. */
  void clear() {
    frames.clear();
  }
}
