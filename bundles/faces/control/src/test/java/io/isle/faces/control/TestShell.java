package io.isle.faces.control;

import java.util.List;
import org.apache.felix.gogo.runtime.threadio.ThreadIOImpl;
import org.apache.karaf.shell.api.console.Command;
import org.apache.karaf.shell.api.console.Completer;
import org.apache.karaf.shell.api.console.Parser;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.api.console.SessionFactory;
import org.apache.karaf.shell.impl.console.SessionFactoryImpl;

/** Karaf's session factory outside a container; commands have the scope "test". */
final class TestShell implements AutoCloseable {
  /** A command's body. */
  interface Body {
    Object run(Session session, List<Object> arguments) throws Exception;
  }

  /** Replaces System.out of the whole JVM, so there is one for all tests. */
  private static final ThreadIOImpl THREAD_IO = new ThreadIOImpl();

  static {
    THREAD_IO.start();
  }

  private final SessionFactoryImpl factory = new SessionFactoryImpl(THREAD_IO);

  SessionFactory factory() {
    return factory;
  }

  void command(String name, Body body) {
    factory.getRegistry().register(new BodyCommand(name, body));
  }

  @Override
  public void close() {
    factory.stop();
  }

  private record BodyCommand(String name, Body body) implements Command {
    @Override
    public String getScope() {
      return "test";
    }

    @Override
    public String getName() {
      return name;
    }

    @Override
    public String getDescription() {
      return name;
    }

    @Override
    public Completer getCompleter(boolean scoped) {
      return null;
    }

    @Override
    public Parser getParser() {
      return null;
    }

    @Override
    public Object execute(Session session, List<Object> arguments) throws Exception {
      return body.run(session, arguments);
    }
  }
}
