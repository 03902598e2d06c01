package io.isle.core.accel.admission;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.ContextSpec;
import io.isle.api.base.Errno;
import io.isle.api.device.DeviceClass;
import io.isle.api.driver.DeviceInfo;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.Permission;
import io.isle.core.accel.group.Bandwidth;
import java.util.Optional;

/** What a new context may be (42.2.3, 44.1). Pure functions. */
public final class ContextRules {
  public static final int MAX_NAME = 64;
  static final int MAX_DEPTH = 4096;
  static final int MIN_COMMAND_BYTES = 256;
  static final long COMPUTE_LIMIT_US = 5_000_000;
  static final long GRAPHICS_LIMIT_US = 16_667;

  private ContextRules() {}

  /**
   * Checks fields, then rights; what depends on the group follows.
   *
   * @throws AccelException EINVAL or ERANGE naming the field
   * @throws io.isle.api.tenancy.TenancyException EACCES or EREVOKED
   */
  public static void check(
      ContextSpec spec, String device, DeviceInfo info, Capability capability, Capabilities all) {
    checkFields(spec, info);
    all.check(capability, Permission.ACCEL_COMPUTE, device);
    if (executionLimitUs(spec, info) == 0) {
      all.check(capability, Permission.ACCEL_PREEMPT, device);
    }
  }

  /** Limit of one submission in microseconds; 0 for none. */
  public static long executionLimitUs(ContextSpec spec, DeviceInfo info) {
    long usual = info.deviceClass() == DeviceClass.GPU ? GRAPHICS_LIMIT_US : COMPUTE_LIMIT_US;
    return spec.maxExecutionUs().orElse(usual);
  }

  /** The narrower of a context's and its capability's memory limit; 0 for none. */
  public static long memoryLimit(ContextSpec spec, Capability capability) {
    long own = spec.maxMemoryBytes();
    long granted = capability.maxMemoryBytes();
    return own == 0 ? granted : granted == 0 ? own : Math.min(own, granted);
  }

  /**
   * The guarantee that a context asks for.
   *
   * @throws AccelException EINVAL or ERANGE naming the field
   */
  public static Optional<Bandwidth> guarantee(ContextSpec spec) {
    long quota = spec.guaranteedBandwidthUs();
    long period = spec.bandwidthPeriodUs();
    if (quota == 0 && period == 0) {
      return Optional.empty();
    }
    if (quota == 0) {
      throw invalid("bandwidthPeriodUs", period + " has no effect without guaranteedBandwidthUs");
    }
    if (period != 0 && (period < Bandwidth.MIN_US || period > Bandwidth.MAX_PERIOD_US)) {
      throw range(
          "bandwidthPeriodUs",
          period + " is not in " + Bandwidth.MIN_US + ".." + Bandwidth.MAX_PERIOD_US);
    }
    long every = period == 0 ? Bandwidth.DEFAULT_PERIOD_US : period;
    if (quota < Bandwidth.MIN_US || quota > every) {
      throw range(
          "guaranteedBandwidthUs",
          quota + " is not in " + Bandwidth.MIN_US + ".." + every + ", the period");
    }
    return Optional.of(new Bandwidth(quota, every));
  }

  private static void checkFields(ContextSpec spec, DeviceInfo info) {
    String name = spec.name();
    if (name == null || name.isBlank() || name.length() > MAX_NAME) {
      throw invalid("name", "1 to " + MAX_NAME + " characters are needed");
    }
    if (spec.maxMemoryBytes() < 0) {
      throw invalid(
          "maxMemoryBytes", spec.maxMemoryBytes() + " is not in 0..2^63-1, where 0 means no limit");
    }
    if (spec.maxExecutionUs().orElse(0) < 0) {
      throw invalid(
          "maxExecutionUs",
          spec.maxExecutionUs().getAsLong() + " is not in 0..2^63-1, where 0 means no limit");
    }
    var ignored = guarantee(spec);
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

  private static AccelException range(String field, String why) {
    return new AccelException(Errno.ERANGE, field + ": " + why);
  }

  private static AccelException invalid(String field, String why) {
    return new AccelException(Errno.EINVAL, field + ": " + why);
  }
}
