package io.isle.faces.shell.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.Services;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Runs commands on {@link FakeJobs} and keeps what they print. */
final class Shell {
  final FakeJobs jobs = new FakeJobs();
  final ByteArrayOutputStream out = new ByteArrayOutputStream();

  void execute(IsleCommand command, boolean json) {
    PrintStream stream = new PrintStream(out, true, UTF_8);
    command.execute(services(), new Output(stream, json, 0));
  }

  Services services() {
    return new Services() {
      @Override
      public <S, R> Optional<R> ifThere(Class<S> type, Function<S, R> use) {
        return Optional.ofNullable(use.apply(type.cast(jobs)));
      }
    };
  }

  /** Names of all fields in the one document that was printed. */
  List<String> fields() throws IOException {
    List<String> names = new ArrayList<>();
    try (JsonParser parser = new JsonFactory().createParser(out.toString(UTF_8))) {
      while (parser.nextToken() != null) {
        if (parser.currentToken() == com.fasterxml.jackson.core.JsonToken.FIELD_NAME) {
          names.add(parser.currentName());
        }
      }
    }
    assertEquals(1, out.toString(UTF_8).lines().count());
    return names;
  }
}
