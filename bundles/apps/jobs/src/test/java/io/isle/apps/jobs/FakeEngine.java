package io.isle.apps.jobs;

import io.isle.api.base.Errno;

/** Does the work of one submission, or what the plan of the device has in its place. */
final class FakeEngine {
  private FakeEngine() {}

  static int run(FakeAccelerator device, FakeContext context, FakeWriter.Work given, int before)
      throws InterruptedException {
    int number = device.next();
    FakePlan.Event event = device.plan.take(number);
    int endings = before;
    if (event != null) {
      switch (event) {
        case CRASH -> device.crash();
        case UPDATE -> device.update();
        case GONE -> device.end(-Errno.ENODEV);
        case RESTART -> device.end(-Errno.ECLOSED);
        case LOST_INPUT -> {
          return -Errno.ENODATA;
        }
        case STOPPED -> {
          given.task().run();
          return -Errno.EINTR;
        }
        case CRASH_AFTER -> {
          given.task().run();
          device.crash();
          return 0;
        }
      }
    }
    if (device.endings() != endings) {
      if (context.ended() != 0) {
        return context.ended();
      }
      if (!given.replayable()) {
        return -Errno.EINTR;
      }
      endings = device.endings();
      given.written().forEach(FakeBuffer::found);
    }
    if (given.readsStale().getAsBoolean()) {
      return -Errno.ENODATA;
    }
    int status = device.status(number);
    if (status == 0) {
      given.task().run();
    }
    if (device.spoils) {
      given.written().forEach(FakeBuffer::spoil);
    }
    return device.endings() == endings ? status : -Errno.EINTR;
  }
}
