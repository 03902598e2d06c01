package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Kernels of OpenCL programs as people have them, from job files alone. */
@ExtendWith(Platform.class)
class KernelsIT {
  private static final String KERNELS =
      """
      typedef struct { uchar tag; int n; float3 v; ushort end; } params;
      kernel void accumulate(global const float *x, global float *y) {
          size_t i = get_global_id(0);
          y[i] += x[i];
      }
      kernel void consume(global float *x, global float *y) {
          size_t i = get_global_id(0);
          y[i] = 2 * x[i];
          x[i] = -1;
      }
      kernel void values(global float *y, uchar a, short b, ulong c, float4 v, params p) {
          y[0] = a; y[1] = b; y[2] = c >> 60; y[3] = v.w;
          y[4] = p.tag; y[5] = p.n; y[6] = p.v.z; y[7] = p.end;
      }
      kernel void where(global float *y) {
          y[get_global_id(1) * 8 + get_global_id(0)] = get_global_id(0) + 10 * get_global_id(1);
      }
      kernel void groups(global float *y) { y[get_global_id(0)] = get_group_id(0); }
      kernel void picture(read_only image2d_t image, global float *y) { y[0] = 0; }
      """;

  @TempDir Path folder;

  @BeforeEach
  void aDeviceIsThere() throws Exception {
    assumeTrue(Devices.exists("opencl0"), "there is no OpenCL device");
    Devices.awaitState("opencl0", "active");
    Files.writeString(folder.resolve("k.cl"), KERNELS);
  }

  /** The files of the tutorial, and the answers that it tells of. */
  @Test
  void theTutorialIsTrue() throws Exception {
    List<String> page = Files.readAllLines(Platform.root().resolve("docs/jobs.md"));
    int start = page.indexOf("## A first kernel");
    List<String> source = block(page, start);
    List<String> job = block(page, page.indexOf("    " + source.getLast()) + 1);
    assertEquals("job: first", job.getFirst());
    Files.write(folder.resolve("block_sum.cl"), source);
    float[] numbers = new float[1_000_000];
    float[] wanted = new float[3907];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = i % 5;
      wanted[i / 256] += numbers[i];
    }
    Files.write(folder.resolve("in"), raw(numbers));
    String text = String.join("\n", job) + "\n";
    first(text).succeeded();
    assertArrayEquals(wanted, Arrays.read(folder.resolve("sums.npy")));
    tells(
        first(text.replace("    local: [256]\n", "").replace("local_x", "256")),
        "the results of the kernel block_sum may depend on the work-group size: local in"
            + " function block_sum, line 1");
    tells(
        first(text.replace("size: [local_x * ceil(n / local_x)]", "size: [n]")),
        "the size in x is 1000000, which is not a multiple of 256");
    tells(
        first(text.replace("{local: 4 * local_x}", "65536")),
        "local memory; write its size, such as {local: 16KiB}");
  }

  private Platform.Result first(String text) throws IOException {
    Path job = Files.writeString(folder.resolve("first.yml"), text);
    return Platform.isle(
        "run",
        job.toString(),
        "--set",
        "input=" + folder.resolve("in"),
        "--set",
        "output=" + folder.resolve("sums.npy"));
  }

  private static List<String> block(List<String> page, int from) {
    List<String> block = new ArrayList<>();
    for (String line : page.subList(from, page.size())) {
      if (line.startsWith("    ")) {
        block.add(line.substring(4));
      } else if (!block.isEmpty()) {
        return block;
      }
    }
    return block;
  }

  /** Many pieces, none of which finds what an earlier one left. */
  @Test
  void outputsBeginAsZerosInEachPiece() throws Exception {
    float[] ones = new float[10_000_000];
    java.util.Arrays.fill(ones, 1);
    Files.write(folder.resolve("x"), raw(ones));
    String step =
        """
        - program: {file: k.cl, kernel: accumulate}
          in: {x: {file: x, type: f32, shape: [n]}}
          out: {y: {file: y, type: f32, shape: [n]%s}}
          size: [n]
          stream: n
        """;
    run(step.formatted("")).succeeded();
    assertArrayEquals(raw(ones), Files.readAllBytes(folder.resolve("y")));
    run(step.formatted(", initial: 0.5, expect: {value: x + 0.5}")).succeeded();
    run(step.formatted(", initial: x, expect: {value: 2 * x}")).succeeded();
  }

  @Test
  void anInputThatTheKernelDestroysIsThereAgain() throws Exception {
    Files.write(folder.resolve("x"), raw(1, 2, 3));
    JsonNode result =
        run(
                """
                - name: first
                  program: {file: k.cl, kernel: consume}
                  in: {x: {file: x, type: f32, shape: [n]}}
                  out: {y: {type: f32, shape: [n], expect: {value: 2 * x}}}
                  size: [n]
                  repeat: 3
                - name: second
                  program: {file: k.cl, kernel: consume}
                  in: {y: {from: first.y, shape: [n]}}
                  out: {z: {file: z, type: f32, shape: [n], expect: {value: 2 * y}}}
                  size: [n]
                """,
                "--json")
            .succeeded()
            .json();
    assertArrayEquals(raw(4, 8, 12), Files.readAllBytes(folder.resolve("z")));
    assertEquals(24, result.get("steps").get(0).get("put_back_bytes").asLong());
    assertEquals(0, result.get("steps").get(1).get("put_back_bytes").asLong());
  }

  /** The same on a device that works on copies of memory. */
  @Test
  void aDeviceWithCopiesComputesTheSame() throws Exception {
    String seed = Devices.info("opencl0").get("properties").get("seed").asText();
    Devices.configure("opencl7", "driver = opencl", "device = " + seed, "memory = staging");
    Devices.awaitState("opencl7", "active");
    try {
      float[] ones = new float[10_000_000];
      java.util.Arrays.fill(ones, 1);
      Files.write(folder.resolve("x"), raw(ones));
      run("""
              - name: pieces
                device: opencl7
                program: {file: k.cl, kernel: accumulate}
                in: {x: {file: x, type: f32, shape: [n]}}
                out: {y: {type: f32, shape: [n], initial: 2, expect: {value: x + 2}}}
                size: [n]
                stream: n
              - name: consume
                device: opencl7
                program: {file: k.cl, kernel: consume}
                in: {x: {file: x, type: f32, shape: [n]}}
                out: {y: {type: f32, shape: [n], expect: {value: 2 * x}}}
                size: [n]
                repeat: 3
              - name: again
                device: opencl7
                program: {file: k.cl, kernel: consume}
                in: {y: {from: consume.y, shape: [n]}}
                out: {z: {type: f32, shape: [n], expect: {value: 2 * y}}}
                size: [n]
                repeat: 2
              """)
          .succeeded();
    } finally {
      Files.delete(Devices.settings("opencl7"));
      Awaiting.await("opencl7 is gone", () -> !Devices.exists("opencl7"));
    }
  }

  @Test
  void valuesOfAllTypesArrive() throws Exception {
    String step =
        """
        - program: {file: k.cl, kernel: values}
          out: {y: {file: y, type: f32, shape: [8]}}
          args: %s
          size: [1]
        """;
    String good =
        "[255, -32768, 0xf000000000000000, {f32: [1, 2, 3, 4.5]},"
            + " {struct: [{u8: 7}, {i32: -9}, {f32: [1, 2, 3]}, {u16: 70}]}]";
    run(step.formatted(good)).succeeded();
    assertArrayEquals(
        raw(255, -32768, 15, 4.5f, 7, -9, 3, 70), Files.readAllBytes(folder.resolve("y")));
    tells(run(step.formatted(good.replace("[255", "[300"))), "300 is not in 0..255 (uchar)");
    tells(run(step.formatted(good.replace("-32768", "40000"))), "is not in -32768..32767 (short)");
    tells(
        run(step.formatted(good.replace("{f32: [1, 2, 3, 4.5]}", "1.5"))),
        "argument 4, v (float4) of the kernel: write {f32: [a, b, c, d]}");
    tells(
        run(step.formatted(good.replace(", {u16: 70}", ""))),
        "struct of 32 bytes does not fit argument 5, p (params) of the kernel, which has 48 bytes");
  }

  @Test
  void offsetsAndWorkGroupsAreTheJobFiles() throws Exception {
    run("""
            - program: {file: k.cl, kernel: where}
              out: {y: {file: y, type: f32, shape: [4, 8], initial: -1}}
              size: [4, 2]
              local: [2, 1]
              offset: [3, 1]
            """)
        .succeeded();
    float[] wanted = new float[32];
    java.util.Arrays.fill(wanted, -1);
    for (int row = 1; row < 3; row++) {
      for (int column = 3; column < 7; column++) {
        wanted[row * 8 + column] = column + 10 * row;
      }
    }
    assertArrayEquals(raw(wanted), Files.readAllBytes(folder.resolve("y")));
    String groups =
        """
        - program: {file: k.cl, kernel: groups}
          out: {y: {file: y, type: f32, shape: [6]}}
          size: [6]
        """;
    run(groups + "  local: [2]\n").succeeded();
    assertArrayEquals(raw(0, 0, 1, 1, 2, 2), Files.readAllBytes(folder.resolve("y")));
    tells(run(groups), "groups may depend on the work-group size: get_group_id");
    run(groups + "  local: any\n").succeeded();
  }

  @Test
  void aKernelThatCannotBeUsedSaysWhy() throws Exception {
    tells(
        run(
            """
            - program: {file: k.cl, kernel: picture}
              out: {y: {file: y, type: f32, shape: [1]}}
              size: [1]
            """),
        "the kernel picture cannot be used: argument 0 (image2d_t) is an image");
  }

  @Test
  void aProgramOfSeveralFilesIsLinked() throws Exception {
    Files.createDirectories(folder.resolve("lib"));
    Files.writeString(folder.resolve("lib/scale.h"), "float scaled(float x);\n");
    Files.writeString(
        folder.resolve("scale.cl"),
        "#include \"lib/scale.h\"\nfloat scaled(float x) { return FACTOR * x; }\n");
    Files.writeString(
        folder.resolve("main.cl"),
        """
        #include "lib/scale.h"
        kernel void scale(global const float *x, global float *y) {
            y[get_global_id(0)] = scaled(x[get_global_id(0)]);
        }
        """);
    Files.write(folder.resolve("x"), raw(1, 2, 3));
    String job =
        """
        job: declared
        device: opencl0
        programs:
          p: {files: [scale.cl, main.cl], include: "lib/*.h", options: -D FACTOR=3}
        steps:
          - program: {name: p, kernel: scale}
            in: {x: {file: x, type: f32, shape: [n]}}
            out: {y: {file: y, type: f32, shape: [n]}}
            size: [n]
        """;
    Path file = Files.writeString(folder.resolve("job.yml"), job);
    Platform.isle("run", file.toString()).succeeded();
    assertArrayEquals(raw(3, 6, 9), Files.readAllBytes(folder.resolve("y")));
  }

  private static void tells(Platform.Result result, String message) {
    assertFalse(result.code() == 0, result.out());
    assertTrue(result.err().contains(message), result.err());
  }

  private Platform.Result run(String steps, String... options) throws IOException {
    Path job =
        Files.writeString(
            folder.resolve("job.yml"), "job: kernels\ndevice: opencl0\nsteps:\n" + steps.indent(2));
    List<String> words = new ArrayList<>(List.of("run", job.toString()));
    words.addAll(List.of(options));
    return Platform.isle(words.toArray(String[]::new));
  }

  private static byte[] raw(float... values) {
    ByteBuffer bytes = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    for (float value : values) {
      bytes.putFloat(value);
    }
    return bytes.array();
  }
}
