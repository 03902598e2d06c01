package io.isle.lib.model;

/**
 * What the header says of a proven model.
 *
 * @param type the kind of its body
 * @param features number of inputs, 1 to 256
 * @param outputs number of outputs, 1 to 64
 * @param paramBytes bytes after the header
 * @param maxLatencyNs most time for one answer, by the maker of the model
 * @param sha256 hash of header and parameters, 64 hexadecimal digits: the identity of the model
 */
public record ModelHeader(
    ModelType type, int features, int outputs, int paramBytes, long maxLatencyNs, String sha256) {}
