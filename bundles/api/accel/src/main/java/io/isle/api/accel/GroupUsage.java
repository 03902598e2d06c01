package io.isle.api.accel;

/**
 * What a group with all below it has of one device. The root stands for the whole device: what is
 * promised of it is what groups and contexts were promised together.
 *
 * @param promisedBy the group whose guarantee it is: its own, or the one of a group above that it
 *     shares with others; empty without one
 * @param contexts that live in it now
 */
public record GroupUsage(
    String group, String device, String promisedBy, int contexts, Usage usage) {}
