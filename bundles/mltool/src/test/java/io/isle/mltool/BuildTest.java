package io.isle.mltool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From a text to answers. */
class BuildTest {
  @TempDir Path folder;

  private String file(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.writeString(file, text);
    return file.toString();
  }

  private String built(String model) throws IOException {
    Run run = Run.of("build", file("m.json", Texts.of(model)));
    assertEquals(0, run.code(), run.err());
    return folder.resolve("m.islemodel").toString();
  }

  private void answers(String model, String table, String expected) throws IOException {
    String file = built(model);
    String csv = file("rows.csv", table);
    for (String how : new String[] {"", "--reference"}) {
      Run run = how.isEmpty() ? Run.of("eval", file, csv) : Run.of("eval", file, csv, how);
      assertEquals(0, run.code(), run.err());
      assertTrue(run.out().startsWith(expected), run.out());
    }
  }

  @Test
  void eachTypeAnswersAsItsTextSays() throws IOException {
    answers(Texts.LINEAR, "size,age\n10,3\n-1,0\n", "5\n0\n# rows 2\n");
    answers(Texts.TABLE, "-5,0\n9,0\n23,0\n99,0\n", "10\n20\nabstained\n40\n# rows 4\n");
    answers(Texts.TREE, "0,5\n0,6\n-3,6\n", "101\n107\nabstained\n");
    // 4 and (20 - 10) >> 1 = 5: 4 + 10 + 1 = 15 and 12 - 20 - 1 < 0; 15 * 3 / 2 = 22.5
    answers(Texts.NET, "4,20\n", "23\n");
  }

  @Test
  void theHeaderHasRoomForOtherMachines() throws IOException {
    Run run = Run.of("--json", "build", file("m.json", Texts.of(Texts.LINEAR)));
    assertEquals(0, run.code(), run.err());
    String[] parts =
        run.out()
            .replaceAll(".*bound_ns\":(\\d+),\"max_latency_ns\":(\\d+).*\\s", "$1 $2")
            .split(" ");
    assertEquals(4 * Long.parseLong(parts[0]), Long.parseLong(parts[1]));
  }

  @Test
  void theHeaderIsAtMostTheBudget() throws IOException {
    String text = Texts.of(Texts.LINEAR).replace("1000000", "1");
    Run run = Run.of("build", file("m.json", text));
    assertEquals(1, run.code());
    assertTrue(run.err().startsWith("isle: OVER_HEADER: max_latency_ns: "), run.err());
    assertFalse(Files.exists(folder.resolve("m.islemodel")));
  }

  @Test
  void aLatencyOfTheTextIsTaken() throws IOException {
    String text =
        Texts.of(Texts.LINEAR).replace("\"serial\"", "\"max_latency_ns\": 777777, \"serial\"");
    Run run = Run.of("build", file("m.json", text), "--out", folder.resolve("x").toString());
    assertEquals(0, run.code(), run.err());
    assertTrue(run.out().endsWith(" 777777 ns by its header\n"), run.out());
    assertTrue(Files.exists(folder.resolve("x")));
  }

  @Test
  void aFileTellsWhatIsInIt() throws IOException {
    Run run = Run.of("inspect", built(Texts.TREE));
    assertEquals(0, run.code(), run.err());
    assertTrue(run.out().contains("decision         sample\n"), run.out());
    assertTrue(run.out().contains("serial           3\n"), run.out());
    assertTrue(run.out().contains("signature        none\n"), run.out());
    assertTrue(
        run.out().contains("model            trees 2  nodes 6  rows 4  loads 6\n"), run.out());
    assertTrue(
        run.out().contains("features[1]      min 1  max 50  mean 20  stddev 9\n"), run.out());
    assertTrue(run.out().contains("features[0]      min -100  max 100  mean 0  stddev 58\n"));
    Run net = Run.of("inspect", "--json", built(Texts.NET));
    assertTrue(net.out().contains("\"model\":{\"neurons\":[2,2,1],\"macs\":6}"), net.out());
    Run table = Run.of("inspect", built(Texts.TABLE));
    assertTrue(table.out().contains("axes 1  cells 4\n"), table.out());
  }

  @Test
  void aSignedFileIsInspectedToo() throws IOException {
    String file = built(Texts.LINEAR);
    String key = folder.resolve("k").toString();
    assertEquals(0, Run.of("keygen", key).code());
    assertEquals(0, Run.of("sign", file, key + ".key").code());
    Run run = Run.of("inspect", file);
    assertEquals(0, run.code(), run.err());
    assertTrue(run.out().contains("signature        not verified\n"), run.out());
    assertTrue(run.out().contains("model            weights 2\n"), run.out());
  }

  @Test
  void errorsAreMeasured() throws IOException {
    String file = built(Texts.LINEAR);
    String csv = file("rows.csv", "size,age,time\n10,3,5\n10,3,9\n");
    Run run = Run.of("eval", "--json", file, csv);
    assertEquals(
        "{\"rows\":2,\"abstained\":0,\"compared\":2,\"equal\":1,\"mean_errors\":[2.0]}\n",
        run.out(),
        run.err());
  }

  @Test
  void wrongTablesAreTold() throws IOException {
    String file = built(Texts.LINEAR);
    String few = file("few.csv", "1\n");
    Run run = Run.of("eval", file, few);
    assertEquals(1, run.code());
    assertEquals("isle: " + few + ":1: has 1 columns, the model 2 features\n", run.err());
    String word = file("word.csv", "1,2\n1,x\n");
    assertEquals(
        "isle: " + word + ":2: 'x' is not a whole number\n", Run.of("eval", file, word).err());
  }

  @Test
  void wrongTextsAreTold() throws IOException {
    wrong("line 1: the text is empty", " ");
    wrong("line 3: Unexpected", "{\n\n}}");
    wrong("line 1: the text has no 'decision'", "{}");
    String good = Texts.of(Texts.LINEAR);
    wrong("line 1: the text has the unknown name 'extra'", good.replace("\"serial\"", "\"extra\""));
    wrong("line 9: trained_at is 'now', not a time", good.replace("2026-05-01T00:00:00Z", "now"));
    wrong("line 8: serial is -1, not 0 to", good.replace("\"serial\": 3", "\"serial\": -1"));
    wrong("line 8: serial is not a whole number", good.replace("\"serial\": 3", "\"serial\": 1.5"));
    wrong(
        "line 6: decision.outputs[0].outside is 'wrap', not clamp or reject",
        good.replace("clamp", "wrap"));
    wrong(
        "line 1: decision is wrong: the decision 'A' does not match", good.replace("sample", "A"));
    wrong("line 10: model.outputs[0].weights has 1 values, not 2", good.replace("256, -512", "1"));
    wrong("line 10: model.outputs[0].weights[0] is 99999, not", good.replace("256,", "99999,"));
    wrong("line 10: model.type is 'cubic', not decision_tree", good.replace("linear", "cubic"));
    wrong(
        "line 11: model.trees[0].feature is 'agE', which is no feature",
        Texts.of(Texts.TREE).replace("\"feature\": \"age\"", "\"feature\": \"agE\""));
    wrong(
        "line 11: model.cells has 3 cells, the axes ask for 2^2",
        Texts.of(Texts.TABLE).replace("10, ", ""));
    wrong(
        "line 13: model.layers[0].activation is 'tanh', not none, relu or table",
        Texts.of(Texts.NET).replace("\"relu\"", "\"tanh\""));
  }

  private void wrong(String message, String text) throws IOException {
    String file = file("wrong.json", text);
    Run run = Run.of("build", file);
    assertEquals(2, run.code(), run.err());
    assertTrue(run.err().startsWith("isle: " + file + ": " + message), run.err());
  }

  @Test
  void aModelThatCannotBeProvenIsRefused() throws IOException {
    String text = Texts.of(Texts.LINEAR).replace("\"shift\": 8", "\"shift\": 63");
    Run run = Run.of("build", file("m.json", text));
    assertEquals(1, run.code());
    assertTrue(
        run.err().startsWith("isle: BAD_BODY: output[0].shift: 63 is not 0 to 62"), run.err());
  }
}
