package io.isle.api.driver;

import io.isle.api.device.DeviceClass;

/**
 * Capabilities and inventory of a device (accelerator framework, 42.2.3).
 *
 * @param deviceClass class of the accelerator
 * @param computeUnits units that work at the same time, at least 1
 * @param localMemoryBytes device memory, 0 if none
 * @param maxContexts contexts at a time, at least 1
 * @param preemption how finely running work can be stopped
 * @param maxCommandBytes longest command envelope
 * @param memoryTypes bit set of ACCEL_MEMTYPE_* of the driver ABI
 * @param pcieAtomics PCIe atomics
 * @param p2pCapable peer-to-peer DMA
 * @param unifiedAddressing CPU and device share addresses
 * @param hwPageFaults the device can fault on unmapped pages
 */
public record DeviceInfo(
    DeviceClass deviceClass,
    int computeUnits,
    long localMemoryBytes,
    int maxContexts,
    Preemption preemption,
    int maxCommandBytes,
    int memoryTypes,
    boolean pcieAtomics,
    boolean p2pCapable,
    boolean unifiedAddressing,
    boolean hwPageFaults) {
  /** Granularities, with the numbers of the driver ABI: 0 to 3 in this order. */
  public enum Preemption {
    NONE,
    COMMAND_BUFFER,
    DRAW_DISPATCH,
    INSTRUCTION
  }
}
