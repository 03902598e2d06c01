package io.isle.mltool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class BatchVerifyTest {
  private static final String KEY =
      "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c";
  private static final String SIGNATURE =
      "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
          + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00";
  private static final String REST =
      "\"alg\":\"ed25519\",\"key\":\"%s\",\"msg\":\"72\",\"sig\":\"%s\"}".formatted(KEY, SIGNATURE);
  private static final String GOOD = "{" + REST;
  private static final String VALID = "\"valid\":true,\"reason\":\"the signature is valid\"}";

  private static Run batch(String input) {
    return Run.with(input, Run.NOW, "verify", "--batch");
  }

  private static void refused(String line, String reason) {
    Run run = batch(line + "\n");
    assertEquals(1, run.code());
    assertEquals("", run.err());
    assertEquals("{\"id\":null,\"valid\":false,\"reason\":\"" + reason + "\"}\n", run.out());
  }

  @Test
  void eachLineHasItsAnswerInOrder() {
    String input =
        "{\"id\":\"a\"," + REST + "\n{\"id\":7," + REST.replace("72", "73") + "\n" + GOOD;
    Run run = batch(input);
    assertEquals(1, run.code());
    assertEquals(
        List.of(
            "{\"id\":\"a\"," + VALID,
            "{\"id\":7,\"valid\":false,\"reason\":\"the signature is not valid\"}",
            "{\"id\":null," + VALID),
        run.out().lines().toList());
  }

  @Test
  void onlyValidLinesExit0() {
    assertEquals(0, batch(GOOD + "\r\n" + GOOD + "\n").code());
    assertEquals(new Run(0, "", ""), batch(""));
  }

  @Test
  void whatIsNoRequestIsNotValid() {
    refused("", "the line is not a JSON object");
    refused("[]", "the line is not a JSON object");
    refused("{", "the line is not a JSON object");
    refused("null", "the line is not a JSON object");
    refused(GOOD + GOOD, "the line has something behind its JSON object");
    refused(GOOD.replace("{", "{\"alg\":\"ed25519\","), "the line is not a JSON object");
    refused(GOOD.replace("\"72\"", "72"), "msg: the value is not a text");
    refused(GOOD.replace("\"72\"", "\"7\""), "msg: the value is not pairs of hexadecimal digits");
    refused(GOOD.replace("\"msg\":\"72\",", ""), "msg: the field is missing");
    refused(GOOD.replace("ed25519", "rsa"), "alg: the value is not " + BareVerify.NAMES);
    refused(GOOD.replace("{", "{\"ctx\":\"\","), "ctx: ed25519 has no context");
    refused(GOOD.replace("{", "{\"x\":\"\","), "the field is not id, alg, key, msg, sig, ctx: x");
    refused(GOOD.replace("{", "{\"id\":[],"), "id: the value is not a text or a number");
  }

  @Test
  void aMistakeBehindTheIdKeepsTheId() {
    Run run = batch("{\"id\":\"x\",\"alg\":3}\n");
    assertEquals(
        "{\"id\":\"x\",\"valid\":false,\"reason\":\"alg: the value is not a text\"}\n", run.out());
  }

  @Test
  void aLineThatIsTooLongIsPassedOver() {
    String longLine = "{\"id\":\"" + "x".repeat(BatchVerify.MAX_LINE) + "\"}";
    Run run = batch(longLine + "\n" + GOOD + "\n");
    List<String> answers = run.out().lines().toList();
    assertEquals(2, answers.size());
    assertEquals(
        "{\"id\":null,\"valid\":false,\"reason\":\"the line has more than 16777216 bytes\"}",
        answers.getFirst());
    assertTrue(answers.getLast().contains("\"valid\":true"));
  }

  @Property(tries = 500)
  void anyTextHasAnAnswerALine(@ForAll String text) {
    Run run = batch(text + "\n");
    assertEquals(1, run.code());
    assertEquals(text.chars().filter(c -> c == '\n').count() + 1, run.out().lines().count());
    assertFalse(run.out().contains("true"));
  }
}
