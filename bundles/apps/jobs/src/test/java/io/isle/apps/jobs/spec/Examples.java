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

  /** Uses every form of a kernel's arguments, and every key of its dispatch. */
  static final String KERNELS =
      """
      job: kernels
      params: {n: {type: int, default: 8}}
      programs:
        p: {files: [a.cl, "?.cl"], include: [common.h, "lib/*.h"], options: "-D N=${n}"}
      steps:
        - name: values
          program: {name: p, kernel: k, offset: [size_x, 1 << 3]}
          in:
            x: {file: x, type: f32, shape: [m, 4]}
            t: {values: [1, inf, 0x10], type: f16, shape: [3]}
          out:
            y: {type: u64, shape: [m % 7, "${n * 2}"], initial: 18446744073709551615}
            z: {type: f32, shape: [m], initial: start.npy}
          args:
            - x
            - 70
            - m - 1
            - {f32: -.inf}
            - {f32: [1, 2, m]}
            - {bytes: "0a0B"}
            - {struct: [{u8: 1}, {f64: log2(m)}, {struct: [{i16: [1, 2]}]}]}
            - {local: 4 * local_x * local_y}
          local: [4, m >> 1, 1]
          size: [local_x * ceil(m / local_x), 2]
        - program: [{file: a.cl, kernel: k, local: any, size: [n]}, copy]
          stream: n
          in: {x: {file: x, type: f32, shape: [n]}}
          out: {y: {file: y, type: f32, shape: [n], initial: start}}
      """;

  private Examples() {}
}
