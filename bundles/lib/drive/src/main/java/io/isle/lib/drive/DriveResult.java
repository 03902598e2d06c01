package io.isle.lib.drive;

import java.util.BitSet;

/**
 * What a drive has done. Immutable but for {@code lost}, which belongs to the caller.
 *
 * @param packets sent packets
 * @param replies taken replies
 * @param lost packets without a reply; bits are indices behind those without a requested reply
 * @param late replies that came after they were given up; these are not lost
 * @param strays packets that came and were no due reply
 * @param old packets that an earlier drive had left in the node
 * @param broken packets during which a link broke
 * @param resent packets that were sent again
 * @param gapNs longest time between two replies while a reply was due
 * @param elapsedNs from the first packet to the last reply
 */
public record DriveResult(
    long packets,
    long replies,
    BitSet lost,
    long late,
    long strays,
    long old,
    long broken,
    long resent,
    long gapNs,
    long elapsedNs) {}
