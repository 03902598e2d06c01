package io.isle.lib.model;

/**
 * Distribution of one feature in the data of the training.
 *
 * @param min least value
 * @param max greatest value
 * @param mean between both
 * @param stddev standard deviation, 0 to 2^32 - 1
 */
public record TrainedFeature(int min, int max, int mean, long stddev) {}
