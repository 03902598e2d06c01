package io.isle.mltool;

/** Models of a decision with two features and an output, as text. */
final class Texts {
  static final String LINEAR =
      """
      {"type": "linear", "outputs": [{"bias": 128, "shift": 8, "weights": [256, -512]}]}""";

  static final String TABLE =
      """
      {"type": "lookup_table", "axes": [{"feature": "size", "bits": 2, "shift": 3, "offset": 0}],
       "cells": [10, [20], null, 40]}""";

  static final String TREE =
      """
      {"type": "decision_tree", "trees": [
        {"feature": "age", "at_most": 5, "left": {"answer": 1},
         "right": {"feature": 0, "at_most": -3, "left": {"answer": null}, "right": {"answer": [7]}}},
        {"answer": 100}]}""";

  static final String NET =
      """
      {"type": "tiny_neural_net",
       "inputs": [{"offset": 0, "shift": 0}, {"offset": 10, "shift": 1}],
       "layers": [
        {"activation": "relu", "multiplier": 1, "shift": 0, "bias": [1, -1], "weights": [[1, 2], [3, -4]]},
        {"activation": "none", "multiplier": 3, "shift": 1, "bias": [0], "weights": [[1, 1]]}]}""";

  private Texts() {}

  static String of(String model) {
    return """
        {"decision": {"name": "sample",
          "features": [
            {"name": "size", "unit": "B", "min": -100, "max": 100},
            {"name": "age", "unit": "s", "min": 0, "max": 100,
             "trained": {"min": 1, "max": 50, "mean": 20, "stddev": 9}}],
          "outputs": [{"name": "time", "unit": "ns", "min": -1000, "max": 1000, "outside": "clamp"}],
          "budget_ns": 1000000},
         "serial": 3,
         "trained_at": "2026-05-01T00:00:00Z",
         "model": %s}
        """
        .formatted(model);
  }
}
