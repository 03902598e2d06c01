package io.isle.api.fabric;

/**
 * A lost frame of a link. Immutable.
 *
 * @param number number of the frame on its link: of dialect leap on datagrams, 16 bits; of dialect
 *     isle, 1 for the first frame
 * @param chunks received chunks of the frame; 0 if no chunk arrived
 * @param total chunks of the frame; 0 if not known
 */
public record RingLoss(long number, int chunks, int total) {}
