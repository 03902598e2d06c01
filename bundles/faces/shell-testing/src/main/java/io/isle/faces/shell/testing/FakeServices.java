package io.isle.faces.shell.testing;

import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.Services;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Services that a test put there, and what a command printed with them. */
public final class FakeServices implements Services {
  private final Map<Class<?>, Object> services = new HashMap<>();

  public <S> FakeServices add(Class<S> type, S service) {
    services.put(type, service);
    return this;
  }

  @Override
  public <S, R> Optional<R> ifThere(Class<S> type, Function<S, R> use) {
    return Optional.ofNullable(services.get(type)).map(service -> use.apply(type.cast(service)));
  }

  /** Runs a command on them and returns what it printed. */
  public String run(IsleCommand command, boolean json) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    command.execute(this, new Output(stream, json, 0));
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
