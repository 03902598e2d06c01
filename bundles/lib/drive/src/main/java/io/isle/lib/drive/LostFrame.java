package io.isle.lib.drive;

/**
 * A frame that the link from the previous node has lost. Immutable.
 *
 * @param number number of the frame on its link
 * @param chunks received chunks of the frame; 0 if no chunk arrived
 * @param total chunks of the frame; 0 if not known
 */
public record LostFrame(long number, int chunks, int total) {}
