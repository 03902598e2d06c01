package io.isle.api.accel;

/**
 * The usage of one device by a group with all groups below it. The root represents the whole
 * device: its guarantee is the sum of the guarantees of all groups and contexts. Immutable.
 *
 * @param group name of the group
 * @param device id of the device
 * @param promisedBy the group with the guarantee: this group, or a group above with a shared
 *     guarantee; empty without a guarantee
 * @param contexts open contexts of the group
 * @param usage figures of the group
 */
public record GroupUsage(
    String group, String device, String promisedBy, int contexts, Usage usage) {}
