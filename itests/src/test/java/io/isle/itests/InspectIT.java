package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Kernels of files, as people look at them, and as they get a job of their own. */
@ExtendWith(Platform.class)
class InspectIT {
  private static final int COUNT = 256;

  private static final String KERNELS =
      """
      #include "shapes.h"
      typedef struct { int a; float b; } params;
      kernel void twice(global const float *x, global float *y, uint n, float by, params p)
      {
          size_t i = get_global_id(0);
          if (i < n)
              y[i] = 2 * x[i] + by + p.a + LINES;
      }
      kernel void neighbours(global float *x, local float *part)
      {
          size_t i = get_global_id(0), l = get_local_id(0);
          part[l] = x[i];
          barrier(CLK_LOCAL_MEM_FENCE);
          x[i] = part[l ^ 1];
      }
      kernel __attribute__((reqd_work_group_size(16, 1, 1))) void groups(global const float4 *x, global float *y)
      {
          y[get_global_id(0)] = x[get_global_id(0)].z + get_local_size(0);
      }
      kernel void draw(read_only image2d_t picture, global float *y) { }
      """;

  /** Where the launcher is called from. */
  private final Path folder = Platform.STATE.resolveSibling("inspect-it");

  @BeforeEach
  void write() throws Exception {
    assumeTrue(Devices.exists("opencl0"), "there is no OpenCL device");
    Devices.awaitState("opencl0", "active");
    Files.createDirectories(folder.resolve("include"));
    Files.writeString(folder.resolve("kernels.cl"), KERNELS);
    Files.writeString(folder.resolve("include/shapes.h"), "#define LINES N\n");
    for (String name : List.of("twice", "neighbours", "groups")) {
      Files.deleteIfExists(folder.resolveSibling(name + ".yml"));
    }
  }

  private static Platform.Result program(String command) {
    return Platform.sh(
        command
            + " --include inspect-it/include/shapes.h"
            + " --options '-I inspect-it/include -D N=3'",
        "--json");
  }

  @Test
  void allKernelsOfAFileAreShown() throws Exception {
    JsonNode shown = program("program:inspect inspect-it/kernels.cl").succeeded().json();
    assertEquals("opencl0", shown.get("device").asText());
    Map<String, JsonNode> kernels = new LinkedHashMap<>();
    shown.get("kernels").forEach(kernel -> kernels.put(kernel.get("name").asText(), kernel));
    assertEquals(List.of("groups", "draw", "neighbours", "twice"), List.copyOf(kernels.keySet()));
    assertEquals("[16,1,1]", kernels.get("groups").get("required_size").toString());
    JsonNode twice = kernels.get("twice");
    assertTrue(twice.get("needs_local").isNull() && twice.get("unusable").isNull());
    assertEquals("float*", twice.get("arguments").get(0).get("type").asText());
    assertEquals(8, twice.get("arguments").get(4).get("bytes").asInt());
    assertEquals(
        "argument 0 (image2d_t) is an image", kernels.get("draw").get("unusable").asText());
    String needs = kernels.get("neighbours").get("needs_local").asText();
    assertTrue(needs.contains("in function neighbours, inspect-it/kernels.cl line 9"), needs);
  }

  @Test
  void anErrorHasItsFileAndItsLine() throws Exception {
    Files.writeString(folder.resolve("include/shapes.h"), "\n#define LINES missing\n");
    Files.writeString(
        folder.resolve("wrong.cl"), "kernel void k(global int *a)\n{\n  a[0] = b;\n}");
    Platform.Result header = program("program:inspect inspect-it/kernels.cl").failed(1);
    assertTrue(header.err().contains("inspect-it/kernels.cl:7:"), header.err());
    assertTrue(header.err().contains("    7 | y[i] = 2 * x[i] + by + p.a + LINES;"), header.err());
    Platform.Result alone = Platform.sh("program:inspect inspect-it/wrong.cl").failed(1);
    assertTrue(alone.err().contains("inspect-it/wrong.cl:3:10: "), alone.err());
    assertTrue(alone.err().contains("    3 | a[0] = b;"), alone.err());
  }

  @Test
  void aJobOfAKernelRunsAsItIsWritten() throws Exception {
    FloatBuffer in = FloatBuffer.allocate(COUNT);
    for (int i = 0; i < COUNT; i++) {
      in.put(i, i);
    }
    float[] twice = run("twice", in, "x=FILE", "y=OUT");
    float[] swapped = run("neighbours", in, "x=FILE", "x_out=OUT");
    float[] groups = run("groups", in, "x=FILE", "y=OUT");
    for (int i = 0; i < COUNT; i++) {
      assertEquals(2 * i + 3, twice[i]);
      assertEquals(i ^ 1, swapped[i]);
    }
    float[] wanted = new float[COUNT / 4];
    for (int i = 0; i < wanted.length; i++) {
      wanted[i] = 4 * i + 2 + 16;
    }
    assertArrayEquals(wanted, groups);
  }

  /** Has the job written, and runs it without a change. */
  private float[] run(String kernel, FloatBuffer in, String... sets) throws Exception {
    Path file = folder.resolve("in");
    Path out = folder.resolve("out-" + kernel);
    ByteBuffer bytes = ByteBuffer.allocate(4 * COUNT).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(in.duplicate());
    Files.write(file, bytes.array());
    Files.deleteIfExists(out);
    JsonNode made =
        program("job:new " + kernel + " --from inspect-it/kernels.cl:" + kernel).succeeded().json();
    assertEquals(kernel, made.get("kernel").asText());
    List<String> words = new ArrayList<>(List.of("run", made.get("file").asText()));
    for (String set : sets) {
      words.add("--set");
      words.add(set.replace("FILE", file.toString()).replace("OUT", out.toString()));
    }
    Platform.isle(words.toArray(String[]::new)).succeeded();
    FloatBuffer got =
        ByteBuffer.wrap(Files.readAllBytes(out)).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer();
    float[] numbers = new float[got.remaining()];
    got.get(numbers);
    return numbers;
  }
}
