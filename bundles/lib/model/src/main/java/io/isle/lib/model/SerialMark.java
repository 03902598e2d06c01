package io.isle.lib.model;

/**
 * The newest signed model that a slot has had.
 *
 * @param serial its serial number
 * @param sha256 its {@link ModelHeader#sha256}
 */
public record SerialMark(long serial, String sha256) {}
