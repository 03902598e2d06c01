package io.isle.apps.jobs.spec;

/** Job files that tests share. */
final class Examples {
  /** Uses every part of the schema. */
  static final String WHOLE =
      """
      job: whole
      params:
        input: {type: file}
        print: {type: bool, default: false}
        output: {type: out, default: ""}
        size: {type: int, default: 1MiB}
        share: {type: float, default: 0.5}
        word: {type: string, default: a b}
      device: {class: gpu_compute, memory: 16MiB}
      setup:
        devices:
          soft7: {tier: 2, memory_bytes: 16m}
        settings:
          io.isle.accel: {key: "${word}"}
      retries: 7
      recovery_timeout_ms: 9
      streams:
        - name: a
          group: default
          priority: high
          max_execution_us: 50000
          steps:
            - name: first
              program: sha256
              in: ${input}
              args: ["${size}"]
              verify: true
              replay: true
              out: {file: "${output}", format: lines, print: "${print}"}
            - {name: second, program: busy, args: [0x10], after: first, repeat: 3}
        - steps:
            - {program: copy, in: b, out: c, after: [], repeat: faults}
      faults:
        - {device: soft7, fault: hang, after: 1, count: 2, value: 3}
        - {device: soft7, fault: kill, after_bytes: 1MiB}
        - {device: soft7, fault: segv, after_ms: 5}
      claims:
        - {name: all, value: blocks, goal: "== ceil((bytes + 0) / 1MiB) * 1"}
        - {name: fast, value: bytes / seconds - 1e3, goal: ">= ${share}"}
      """;

  private Examples() {}
}
