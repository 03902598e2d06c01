package io.isle.api.net.tile;

import java.lang.foreign.MemorySegment;

/**
 * A link from an app, which the app alone writes and the tile trusts in nothing: all sizes here are
 * those that the owner made the memory with.
 *
 * @param slot place of the link's counters, 0 to 31
 * @param id identity of the link, not 0, that no other link of the slot ever has
 * @param memory from the base of the chunks on, at least to the end of the payloads
 * @param mcache offset of the mcache in {@code memory}
 * @param depth lines of the mcache
 * @param seq0 first sequence number
 * @param data offset of the first payload in {@code memory}, a multiple of 64
 * @param dataBytes bytes of the data region
 * @param mtu most bytes of a frame
 * @param progress an fseq of 128 bytes that the tile writes, and the app reads for its credits
 */
public record TxLinkMemory(
    int slot,
    long id,
    MemorySegment memory,
    long mcache,
    int depth,
    long seq0,
    long data,
    long dataBytes,
    int mtu,
    MemorySegment progress) {}
