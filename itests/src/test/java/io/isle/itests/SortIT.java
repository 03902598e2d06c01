package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The example that sorts a file that is larger than the device's memory. */
@ExtendWith(Platform.class)
class SortIT {
  private static final String JOB = Platform.root().resolve("examples/sort/job.yml").toString();

  @TempDir Path folder;

  /** 72 MiB through the 64 MiB of soft0. */
  @Test
  void aFileLargerThanTheDeviceIsSorted() throws Exception {
    byte[] numbers = Blocks.random(72 << 20);
    Files.write(folder.resolve("numbers"), numbers);
    run("u32").succeeded();
    int[] expected = ints(numbers);
    for (int i = 0; i < expected.length; i++) {
      expected[i] ^= Integer.MIN_VALUE;
    }
    java.util.Arrays.parallelSort(expected);
    for (int i = 0; i < expected.length; i++) {
      expected[i] ^= Integer.MIN_VALUE;
    }
    assertArrayEquals(expected, ints(Files.readAllBytes(folder.resolve("sorted"))));
    try (Stream<Path> files = Files.list(folder)) {
      List<String> names = files.map(file -> file.getFileName().toString()).sorted().toList();
      assertEquals(List.of("numbers", "sorted"), names);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"i32", "f32"})
  void otherElementsToo(String element) throws Exception {
    byte[] numbers = Blocks.random(100_000);
    Files.write(folder.resolve("numbers"), numbers);
    run(element).succeeded();
    Comparator<Integer> order =
        element.equals("i32")
            ? Comparator.naturalOrder()
            : Comparator.comparing(bits -> bits < 0 ? ~bits ^ Integer.MIN_VALUE : bits);
    int[] expected =
        IntStream.of(ints(numbers)).boxed().sorted(order).mapToInt(Integer::intValue).toArray();
    assertArrayEquals(expected, ints(Files.readAllBytes(folder.resolve("sorted"))));
  }

  @Test
  void anElementThatIsNoneIsWrongUsage() throws Exception {
    Files.write(folder.resolve("numbers"), new byte[8]);
    Platform.Result result = run("u9").failed(2);
    assertTrue(result.err().contains("'u9' is not one of u8"), result.err());
  }

  private static int[] ints(byte[] bytes) {
    int[] ints = new int[bytes.length / 4];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().get(ints);
    return ints;
  }

  private Platform.Result run(String element) {
    return Platform.isle(
        "run",
        JOB,
        "--set",
        "input=" + folder.resolve("numbers"),
        "--set",
        "output=" + folder.resolve("sorted"),
        "--set",
        "element=" + element);
  }
}
