package io.isle.karaf.agent;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.security.AccessController;
import java.security.PrivilegedExceptionAction;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import javax.security.auth.Subject;
import org.apache.felix.gogo.runtime.threadio.ThreadIOImpl;
import org.apache.karaf.jaas.boot.principal.RolePrincipal;
import org.apache.karaf.shell.api.console.Command;
import org.apache.karaf.shell.api.console.Completer;
import org.apache.karaf.shell.api.console.Parser;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.impl.console.JLineTerminal;
import org.apache.karaf.shell.impl.console.SessionFactoryImpl;
import org.apache.karaf.shell.impl.console.osgi.secured.SecuredSessionFactoryImpl;
import org.apache.karaf.util.jaas.JaasHelper;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceRegistration;

/** Karaf's own session factory outside a container, with commands made from lambdas. */
final class ShellFixture implements AutoCloseable {
  static final Subject ADMIN = subject("admin");
  static final Subject VIEWER = subject("viewer");

  private static final InputStream IN = System.in;
  private static final PrintStream OUT = System.out;
  private static final PrintStream ERR = System.err;

  private final ThreadIOImpl threadIo = threadIo();
  final SessionFactoryImpl factory;

  ShellFixture() {
    threadIo.start();
    factory = new SessionFactoryImpl(threadIo);
  }

  /** A console that ends late puts the streams of the fixture before back in their places. */
  private static ThreadIOImpl threadIo() {
    System.setIn(IN);
    System.setOut(OUT);
    System.setErr(ERR);
    return new ThreadIOImpl();
  }

  /** With Karaf's role checks on commands of the scope "test": roles by command. */
  ShellFixture(Map<String, String> roles) throws ReflectiveOperationException {
    threadIo.start();
    try {
      factory = new SecuredSessionFactoryImpl(nobody(), threadIo);
    } catch (InvalidSyntaxException e) {
      throw new IllegalStateException(e);
    }
    // what Karaf fills from Config Admin
    Field scopes = SecuredSessionFactoryImpl.class.getDeclaredField("scopes");
    scopes.setAccessible(true);
    @SuppressWarnings("unchecked")
    Map<String, Dictionary<String, Object>> known =
        (Map<String, Dictionary<String, Object>>) scopes.get(factory);
    known.put("test", new Hashtable<>(roles));
  }

  /** A context in which there is no service, and which takes any. */
  private static BundleContext nobody() {
    ServiceRegistration<?> taken = idle(ServiceRegistration.class, null);
    return idle(BundleContext.class, taken);
  }

  private static <T> T idle(Class<T> type, Object registration) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) ->
                method.getName().equals("registerService") ? registration : null));
  }

  static Subject subject(String role) {
    Subject subject = new Subject();
    subject.getPrincipals().add(new RolePrincipal(role));
    return subject;
  }

  /** What Karaf's own code asks; null where nobody is known. */
  @SuppressWarnings("removal")
  static Subject asKarafSeesIt() {
    return Subject.getSubject(AccessController.getContext());
  }

  static <T> T as(Subject subject, PrivilegedExceptionAction<T> action) throws Exception {
    return JaasHelper.doAs(subject, action);
  }

  void command(String name, Function<Session, Object> body) {
    factory.getRegistry().register(new LambdaCommand(name, body));
  }

  Session session() {
    PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
    Session session = factory.create(new ByteArrayInputStream(new byte[0]), nowhere, nowhere);
    // Without a scope list Gogo resolves only fully named commands.
    session.put(Session.SCOPE, "test");
    return session;
  }

  /** A console as Karaf's local one is, on a dumb terminal; it reads commands once it is run. */
  Session console(InputStream typed) throws IOException {
    PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
    Terminal terminal =
        TerminalBuilder.builder().system(false).streams(typed, nowhere).type("dumb").build();
    return factory.create(typed, nowhere, nowhere, new JLineTerminal(terminal), "UTF-8", () -> {});
  }

  @Override
  public void close() {
    try {
      factory.stop();
    } finally {
      threadIo.stop();
    }
  }

  private record LambdaCommand(String name, Function<Session, Object> body) implements Command {
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
    public Object execute(Session session, List<Object> arguments) {
      return body.apply(session);
    }
  }
}
