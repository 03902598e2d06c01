package io.isle.spin.jobs.ping;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import io.isle.api.spin.TrapEvent;
import io.isle.spin.jobs.FakeStep;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.Principal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import javax.security.auth.Subject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class PingStepTest {
  private static final String SMALL = "8 100";

  @TempDir Path folder;
  private final FakeNet net = new FakeNet();
  private FakeStep step;

  private record UserPrincipal(String getName) implements Principal {}

  private record RolePrincipal(String getName) implements Principal {}

  @AfterEach
  void nothingRemains() {
    assertEquals(List.of(), net.labs);
    assertEquals(Map.of(), net.nics);
    assertEquals(
        List.of(), net.contexts.stream().filter(one -> !one.closed).map(one -> one.spec).toList());
    assertEquals(
        List.of(),
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.isAlive() && thread.getName().contains("spin-ping-"))
            .filter(thread -> thread.getName().endsWith("-echo"))
            .toList());
  }

  private void run(Map<String, String> given) throws Exception {
    Map<String, String> all =
        new HashMap<>(Map.of("sizes", SMALL, "runs", "6", "pings", "3", "timeout_ms", "60000"));
    all.putAll(given);
    PingAction action = new PingAction(net.services(folder));
    step = new FakeStep(action.parameters(), all);
    assertEquals(Optional.empty(), action.check(step.values()));
    action.run(step);
  }

  private IsleException refused(Map<String, String> given) {
    return assertThrows(IsleException.class, () -> run(given));
  }

  private String written(String output) {
    return step.written.get(output).toString(StandardCharsets.UTF_8);
  }

  @Test
  void withoutRootRequestsGoToAPortOfUdp() throws Exception {
    run(Map.of("table", "t.csv", "svg", "t.svg"));
    assertEquals(6.0, step.measures.get("rows"));
    assertEquals(6.0, step.measures.get("runs"));
    assertEquals(6 * 6 * 3.0, step.measures.get("answered"));
    assertEquals(6 * 6 * 3.0, step.measures.get("sent"));
    for (String none : List.of("lost", "repeated", "wrong", "lab")) {
      assertEquals(0.0, step.measures.get(none), none);
    }
    assertTrue(step.measures.get("udp_both_2_ns") > 0);
    assertFalse(step.measures.containsKey("icmp_host_1_ns"));
    assertTrue(step.lines.getFirst().startsWith("a lab needs root"), step.lines::toString);
    assertTrue(step.lines.getFirst().contains("without icmp"), step.lines::toString);
    assertEquals(2 + 6, step.lines.size());
    assertEquals(7, written("table").lines().count());
    assertTrue(written("svg").contains("</svg>"));
    assertEquals(3 * 6 * 3 * 108, step.bytes);
    assertEquals(List.of("udp_ping [-DDO_HOST=0]", "udp_ping [-DDO_HOST=1]"), net.builds);
    assertEquals(
        List.of(false, true), net.contexts.stream().map(context -> context.listens).toList());
    assertEquals(1, net.tries);
  }

  @Test
  void eachLossIsCounted() throws Exception {
    net.answers =
        (socket, request, number) -> {
          // the first ones belong to the warm-up
          switch (number) {
            case 230 -> {}
            case 233 -> {
              socket.send(request);
              socket.send(request);
            }
            case 235 -> {
              request.getData()[request.getLength() - 1]++;
              socket.send(request);
            }
            default -> socket.send(request);
          }
        };
    run(Map.of("modes", "offloaded", "pings", "20", "timeout_ms", "1000"));
    assertEquals(240.0, step.measures.get("sent"));
    assertTrue(step.measures.get("lost") >= 2, step.measures::toString);
    assertEquals(1.0, step.measures.get("repeated"));
    assertEquals(1.0, step.measures.get("wrong"));
  }

  @Test
  void handlersThatFallSilentFailTheStepWithTheirState() {
    net.answers =
        (socket, request, number) -> {
          if (number < 210) {
            socket.send(request);
          } else {
            net.contexts.getFirst().recovers = true;
            net.contexts.getFirst().trap =
                Optional.of(new TrapEvent(1, "n", "c", "packet", 0, "cpu_time", 0, 0));
          }
        };
    IsleException silent = refused(Map.of("modes", "offloaded", "timeout_ms", "500"));
    assertEquals(Errno.ETIMEDOUT, silent.code());
    assertEquals(
        "udp, offloaded: no answer to 5 requests in a row; handlers: recovering, its process has"
            + " ended; the newest trap of a handler: cpu_time",
        silent.getMessage());
    assertEquals(Map.of(), step.written);
  }

  @Test
  void handlersThatNeverAnswerFailTheStep() {
    net.answers = (socket, request, number) -> {};
    IsleException silent = refused(Map.of("modes", "offloaded", "timeout_ms", "1"));
    assertEquals("udp, offloaded: no answer to the first 300 requests", silent.getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"port", "build", "attach", "listen"})
  void whatWasMadeIsRemovedWhereALaterPartFails(String part) {
    Map<String, Consumer<FakeNet>> failures =
        Map.of(
            "port", one -> one.portFailure = "no port",
            "build", one -> one.compiles = false,
            "attach", one -> one.attaches = false,
            "listen", one -> one.listens = false);
    failures.get(part).accept(net);
    IsleException refused = refused(Map.of());
    Map<String, String> messages =
        Map.of(
            "port", "the interface of the step: no port",
            "build", "udp_ping.c: line 3: a mistake",
            "attach", "no handlers",
            "listen", "has ended");
    assertEquals(messages.get(part), refused.getMessage());
    assertEquals(part.equals("port") ? 5 : 1, net.tries, "a port may be taken by others");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aLabIsRemovedWhereALaterPartFails(boolean port) {
    assumeTrue("root".equals(System.getProperty("user.name")), "network namespaces need root");
    net.labRefusal = 0;
    if (port) {
      net.portFailure = "no interface vb";
    } else {
      net.compiles = false;
    }
    IsleException refused = refused(Map.of("modes", "offloaded", "where", "lab"));
    String message = port ? "the interface of the step: no interface vb" : "icmp_ping.c: line 3";
    assertTrue(refused.getMessage().startsWith(message), refused::getMessage);
    assertEquals(List.of("nic", "lab"), net.ended);
  }

  @Test
  void theHostOfALabAnswersByItself() throws Exception {
    assumeTrue("root".equals(System.getProperty("user.name")), "network namespaces need root");
    net.labRefusal = 0;
    run(Map.of("modes", "host"));
    assertEquals(1.0, step.measures.get("lab"));
    assertEquals(4 * 6 * 3.0, step.measures.get("answered"));
    assertEquals(List.of("nic", "lab"), net.ended);
    assertEquals(List.of(), net.builds);
  }

  @Test
  void aLabThatMustBeIsMissed() {
    IsleException refused = refused(Map.of("where", "lab"));
    assertEquals(Errno.EPERM, refused.code());
    assertEquals("where: a lab needs root", refused.getMessage());
    assertEquals(
        "protocols: icmp needs a lab; a lab needs root",
        refused(Map.of("protocols", "icmp")).getMessage());
    net.labRefusal = Errno.ENOSPC;
    assertEquals(Errno.ENOSPC, refused(Map.of()).code());
    assertEquals(0, net.tries);
  }

  @Test
  void aCancelEndsTheStepAndRemovesAll() throws Exception {
    Thread runner = Thread.currentThread();
    net.answers =
        (socket, request, number) -> {
          if (number == 220) {
            runner.interrupt();
          } else {
            socket.send(request);
          }
        };
    assertThrows(InterruptedException.class, () -> run(Map.of("modes", "both")));
    assertFalse(Thread.interrupted());
    assertEquals(Map.of(), step.written);
  }

  @Test
  void onlyAnAdminMakesInterfaces() throws Exception {
    Subject manager =
        new Subject(
            true,
            Set.of(new UserPrincipal("ann"), new RolePrincipal("manager")),
            Set.of(),
            Set.of());
    CompletionException refused =
        assertThrows(
            CompletionException.class,
            () ->
                Subject.callAs(
                    manager,
                    () -> {
                      run(Map.of());
                      return 0;
                    }));
    assertEquals(Errno.EACCES, ((IsleException) refused.getCause()).code());
    assertEquals(0, net.tries);
  }
}
