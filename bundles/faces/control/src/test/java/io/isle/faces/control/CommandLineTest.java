package io.isle.faces.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.karaf.shell.api.console.Session;
import org.junit.jupiter.api.Test;

/** Through the shell's real parser. */
class CommandLineTest {
  @Property(tries = 300)
  void argumentsArriveAsTheyWere(@ForAll("arguments") List<String> arguments) throws Exception {
    AtomicReference<List<Object>> received = new AtomicReference<>();
    try (TestShell shell = new TestShell()) {
      shell.command(
          "take",
          (session, given) -> {
            received.set(List.copyOf(given));
            return null;
          });
      PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
      Session session = shell.factory().create(InputStream.nullInputStream(), nowhere, nowhere);
      List<String> words = new ArrayList<>(List.of("test:take"));
      words.addAll(arguments);
      CommandLine.of(words).execute(session);
      session.close();
    }
    assertEquals(arguments, received.get().stream().map(Object::toString).toList());
  }

  @Provide
  Arbitrary<List<String>> arguments() {
    return Arbitraries.strings()
        .withChars("ab '\"\\$`;|&<>(){}[]#~*?!=%@^,.:-\t\n\u00e4\u20ac")
        .ofMaxLength(12)
        .list()
        .ofMaxSize(4);
  }

  @Test
  void wordsThatMeanSomethingToTheShellStayText() throws Exception {
    argumentsArriveAsTheyWere(List.of("null", "true", "007", "--set", "a=$b"));
  }

  @Test
  void onlyANameCanBeACommand() {
    assertThrows(RequestException.class, () -> CommandLine.of(List.of("a; b")));
    assertThrows(RequestException.class, () -> CommandLine.of(List.of("")));
  }
}
