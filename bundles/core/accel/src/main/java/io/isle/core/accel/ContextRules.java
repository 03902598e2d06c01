package io.isle.core.accel;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.ContextSpec;
import io.isle.api.base.Errno;
import io.isle.api.device.DeviceClass;
import io.isle.api.device.Priority;
import io.isle.api.driver.DeviceInfo;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.Permission;

/** What a new context may be (42.2.3, 44.1). Pure functions. */
final class ContextRules {
  static final int MAX_NAME = 64;
  static final int MAX_DEPTH = 4096;
  static final int MIN_COMMAND_BYTES = 256;
  static final long COMPUTE_LIMIT_US = 5_000_000;
  static final long GRAPHICS_LIMIT_US = 16_667;

  private ContextRules() {}

  /**
   * Checks fields, then rights.
   *
   * @throws AccelException EINVAL or ENOTSUP naming the field
   * @throws io.isle.api.tenancy.TenancyException EACCES or EREVOKED
   */
  static void check(
      ContextSpec spec, String device, DeviceInfo info, Capability capability, Capabilities all) {
    checkFields(spec, info);
    all.check(capability, Permission.ACCEL_COMPUTE, device);
    if (spec.priority() == Priority.REALTIME) {
      all.check(capability, Permission.ACCEL_CONTEXT_RT, device);
    }
    if (executionLimitUs(spec, info) == 0) {
      all.check(capability, Permission.ACCEL_PREEMPT, device);
    }
  }

  /** Limit of one submission in microseconds; 0 for none. */
  static long executionLimitUs(ContextSpec spec, DeviceInfo info) {
    long usual = info.deviceClass() == DeviceClass.GPU ? GRAPHICS_LIMIT_US : COMPUTE_LIMIT_US;
    return spec.maxExecutionUs().orElse(usual);
  }

  /** The narrower of a context's and its capability's memory limit; 0 for none. */
  static long memoryLimit(ContextSpec spec, Capability capability) {
    long own = spec.maxMemoryBytes();
    long granted = capability.maxMemoryBytes();
    return own == 0 ? granted : granted == 0 ? own : Math.min(own, granted);
  }

  private static void checkFields(ContextSpec spec, DeviceInfo info) {
    String name = spec.name();
    if (name == null || name.isBlank() || name.length() > MAX_NAME) {
      throw invalid("name", "1 to " + MAX_NAME + " characters are needed");
    }
    if (spec.priority() == null) {
      throw invalid("priority", "is missing");
    }
    if (spec.maxMemoryBytes() < 0) {
      throw invalid("maxMemoryBytes", spec.maxMemoryBytes() + " is negative; 0 is no limit");
    }
    if (spec.maxExecutionUs().orElse(0) < 0) {
      throw invalid("maxExecutionUs", "is negative; 0 is no limit");
    }
    if (spec.guaranteedBandwidthUs() != 0 || spec.bandwidthPeriodUs() != 0) {
      throw new AccelException(
          Errno.ENOTSUP,
          "guaranteedBandwidthUs, bandwidthPeriodUs: guarantees are not supported; use 0");
    }
    int depth = spec.queueDepth();
    if (depth < 2 || depth > MAX_DEPTH || Integer.bitCount(depth) != 1) {
      throw invalid("queueDepth", depth + " is not a power of two from 2 to " + MAX_DEPTH);
    }
    int most = info.maxCommandBytes();
    if (spec.commandBytes() < MIN_COMMAND_BYTES || spec.commandBytes() > most) {
      throw invalid(
          "commandBytes",
          spec.commandBytes() + " is not within " + MIN_COMMAND_BYTES + " to the device's " + most);
    }
  }

  private static AccelException invalid(String field, String why) {
    return new AccelException(Errno.EINVAL, field + ": " + why);
  }
}
