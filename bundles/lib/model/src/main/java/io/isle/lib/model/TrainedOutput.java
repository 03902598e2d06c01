package io.isle.lib.model;

/**
 * Range of one output in the data of the training.
 *
 * @param min least value
 * @param max greatest value
 */
public record TrainedOutput(int min, int max) {}
