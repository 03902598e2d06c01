package io.isle.karaf.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.security.auth.Subject;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.util.jaas.JaasHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Runs with the agent in the JVM, against Karaf's and Gogo's real classes. */
class SubjectAgentTest {
  private final ShellFixture shell = new ShellFixture();
  private final List<Subject> seen = new CopyOnWriteArrayList<>();

  @AfterEach
  void stop() {
    shell.close();
  }

  @Test
  void nobodyIsKnownOutsideABinding() {
    assertNull(ShellFixture.asKarafSeesIt());
    assertFalse(JaasHelper.currentUserHasRole("admin"));
  }

  @Test
  void karafsHelperSeesTheBoundSubjectAndOnlyItsRoles() throws Exception {
    ShellFixture.as(
        ShellFixture.VIEWER,
        () -> {
          assertSame(ShellFixture.VIEWER, ShellFixture.asKarafSeesIt());
          assertTrue(JaasHelper.currentUserHasRole("viewer"));
          assertFalse(JaasHelper.currentUserHasRole("admin"));
          return null;
        });
    assertNull(ShellFixture.asKarafSeesIt());
  }

  @Test
  void everyStageOfAPipeSeesTheSubject() throws Exception {
    shell.command("look", s -> seen.add(ShellFixture.asKarafSeesIt()));
    run(ShellFixture.ADMIN, shell.session(), "test:look | test:look | test:look");
    assertEquals(List.of(ShellFixture.ADMIN, ShellFixture.ADMIN, ShellFixture.ADMIN), seen);
  }

  @Test
  void aClosureInsideACommandSeesTheSubject() throws Exception {
    shell.command("look", s -> seen.add(ShellFixture.asKarafSeesIt()));
    run(ShellFixture.VIEWER, shell.session(), "f = { test:look | test:look } ; f");
    assertEquals(List.of(ShellFixture.VIEWER, ShellFixture.VIEWER), seen);
  }

  @Test
  void aPooledThreadStartedByAnAdminCommandSeesNoSubject() throws Exception {
    try (ExecutorService pool = Executors.newFixedThreadPool(1)) {
      AtomicReference<Subject> during = new AtomicReference<>(ShellFixture.ADMIN);
      shell.command("start", s -> join(pool, () -> during.set(ShellFixture.asKarafSeesIt())));
      run(ShellFixture.ADMIN, shell.session(), "test:start");
      assertNull(during.get(), "the thread that the command started inherited its subject");

      AtomicReference<Subject> later = new AtomicReference<>(ShellFixture.ADMIN);
      join(pool, () -> later.set(ShellFixture.asKarafSeesIt()));
      assertNull(later.get());

      shell.command("use", s -> join(pool, () -> seen.add(asKarafSeesItOrNobody())));
      run(ShellFixture.VIEWER, shell.session(), "test:use");
      assertEquals(List.of(NOBODY), seen, "a viewer's command gained a right through the pool");
    }
  }

  @Test
  void aViewerGainsNothingFromThreadsThatServedAnAdmin() throws Exception {
    shell.command("look", s -> seen.add(ShellFixture.asKarafSeesIt()));
    Session shared = shell.session();
    run(ShellFixture.ADMIN, shared, "test:look | test:look");
    run(ShellFixture.VIEWER, shared, "test:look | test:look");
    run(ShellFixture.VIEWER, shell.session(), "test:look");
    assertEquals(
        List.of(
            ShellFixture.ADMIN,
            ShellFixture.ADMIN,
            ShellFixture.VIEWER,
            ShellFixture.VIEWER,
            ShellFixture.VIEWER),
        seen);
  }

  @Test
  void aConsoleRunsAsWhoMadeItOnWhateverThread() throws Exception {
    shell.command(
        "look",
        console -> {
          seen.add(ShellFixture.asKarafSeesIt());
          console.close();
          return null;
        });
    // The keyboard stays open: at its end a console leaves before it has read what was typed.
    try (PipedOutputStream keyboard = new PipedOutputStream();
        PipedInputStream typed = new PipedInputStream(keyboard);
        ExecutorService other = Executors.newFixedThreadPool(1)) {
      keyboard.write("test:look\r\n".getBytes(StandardCharsets.UTF_8));
      Session console = ShellFixture.as(ShellFixture.VIEWER, () -> shell.console(typed));
      ShellFixture.as(ShellFixture.ADMIN, () -> join(other, console));
      assertEquals(List.of(ShellFixture.VIEWER), seen);
      join(other, () -> seen.add(asKarafSeesItOrNobody()));
      assertEquals(List.of(ShellFixture.VIEWER, NOBODY), seen);
    }
  }

  /** The ssh server makes it as nobody, and says afterwards whose it is. */
  @Test
  void aConsoleOfTheSshServerRunsAsWhoLoggedIn() throws Exception {
    shell.command(
        "look",
        console -> {
          seen.add(asKarafSeesItOrNobody());
          console.close();
          return null;
        });
    try (PipedOutputStream keyboard = new PipedOutputStream();
        PipedInputStream typed = new PipedInputStream(keyboard);
        ExecutorService other = Executors.newFixedThreadPool(1)) {
      keyboard.write("test:look\r\n".getBytes(StandardCharsets.UTF_8));
      Session console = shell.console(typed);
      console.put(Subject.class.getName(), ShellFixture.VIEWER);
      Object ignored = join(other, console);
      assertEquals(List.of(ShellFixture.VIEWER), seen);
    }
  }

  private static final Subject NOBODY = ShellFixture.subject("nobody");

  private static Subject asKarafSeesItOrNobody() {
    Subject subject = ShellFixture.asKarafSeesIt();
    return subject == null ? NOBODY : subject;
  }

  private static Object run(Subject subject, Session session, String line) throws Exception {
    return ShellFixture.as(subject, () -> session.execute(line));
  }

  private static Object join(ExecutorService pool, Runnable task) {
    try {
      pool.submit(task).get(30, TimeUnit.SECONDS);
      return null;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
