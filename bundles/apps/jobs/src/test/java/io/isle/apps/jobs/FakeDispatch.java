package io.isle.apps.jobs;

import java.util.ArrayList;
import java.util.List;

/** What a submission told of its dispatch. */
final class FakeDispatch {
  final List<Integer> size;
  final List<String> arguments = new ArrayList<>();

  /** Empty where the driver chooses. */
  List<Integer> local = List.of();

  List<Long> offset = List.of();

  FakeDispatch(List<Integer> size) {
    this.size = size;
  }
}
