package io.isle.spin.nic.manage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import io.isle.api.spin.ContextInfo;
import io.isle.api.spin.ContextSpec;
import io.isle.api.spin.ContextState;
import io.isle.api.spin.HandlerImage;
import io.isle.api.spin.Rulesets;
import io.isle.core.testing.Until;
import io.isle.spin.nic.live.LiveContext;
import io.isle.spin.nic.live.LiveNic;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ContextSwapTest {
  private static final String ONES = "AND {0, 0xff000000, 0x01000000, 0x01000000}";
  private static final String OPEN = ONES + " EOM {1, 1, 1, 1}";
  private static final String LONG = "3600000";

  private final SpinRig rig = new SpinRig();

  @AfterEach
  void close() {
    rig.close();
  }

  private static void holds(BooleanSupplier condition, String what) {
    assertTrue(Until.holds(condition), what);
  }

  /** An interface that waits for messages as long as they take. */
  private LiveNic patient() {
    rig.nic("nic0", "port", "test:a", "swap_ms", LONG, "message_timeout_ms", LONG);
    holds(() -> rig.core.nic("nic0").isPresent(), "the interface");
    return rig.core.nic("nic0").orElseThrow();
  }

  private LiveContext attach(LiveNic nic, String name, String rules) {
    ContextSpec spec =
        ContextSpec.of(name, SpinRig.image("ping", Optional.empty()))
            .withRules(Rulesets.parse(rules).all().getFirst());
    return rig.core.attach(nic, rig.tenant("a"), spec);
  }

  /** A context with a message that lacks packets. */
  private LiveContext withOpenMessage(LiveNic nic) {
    rig.device.handlers = 7;
    rig.handler = (hpus, hpu, handler, packet) -> 0;
    LiveContext context = attach(nic, "ping", OPEN);
    rig.port("a").arriving.add(SpinRig.frame(1));
    holds(() -> nic.queues().size() == 1 && context.info().stats().tasks() == 2, "a message");
    return context;
  }

  /** A swap that waits; its end is its code, 0 for success. */
  private static CompletableFuture<Integer> swapping(LiveContext context, HandlerImage image) {
    CompletableFuture<Integer> end = new CompletableFuture<>();
    Thread thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    context.swap(image);
                    end.complete(0);
                  } catch (IsleException e) {
                    end.complete(e.code());
                  }
                });
    holds(() -> thread.getState() == Thread.State.TIMED_WAITING || end.isDone(), "a swap");
    return end;
  }

  @Test
  void othersGoOnWhileASwapWaitsForAMessage() {
    LiveNic nic = patient();
    LiveContext context = withOpenMessage(nic);
    CompletableFuture<Integer> end = swapping(context, SpinRig.image("pong", Optional.empty()));
    LiveContext other = attach(nic, "other", "AND {0, 0xff000000, 0x02000000, 0x02000000}");
    assertEquals(ContextState.ATTACHED, other.state());
    rig.nic("nic1", "port", "test:b");
    holds(() -> rig.core.nic("nic1").isPresent(), "another interface");
    assertEquals("ping", context.info().handlers());
    rig.core.detach("ping");
    assertEquals(Errno.ECLOSED, end.join());
    assertEquals(ContextState.ATTACHED, other.state());
  }

  @Test
  void whatIsOpenForTooLongIsAborted() {
    LiveNic nic = patient();
    LiveContext context = withOpenMessage(nic);
    rig.nic("nic0", "port", "test:a", "swap_ms", "0", "message_timeout_ms", LONG);
    holds(() -> nic.settings().swapMs() == 0, "other settings");
    context.swap(SpinRig.image("pong", Optional.empty()));
    assertEquals("pong", context.info().handlers());
    holds(() -> rig.events.contains("ping abort swap"), "" + rig.events);
  }

  @Test
  void swapsOfAContextComeOneAfterTheOther() {
    LiveContext context = withOpenMessage(patient());
    CompletableFuture<Integer> first = swapping(context, SpinRig.image("one", Optional.empty()));
    CompletableFuture<Integer> second = swapping(context, SpinRig.image("two", Optional.empty()));
    byte[] end = SpinRig.frame(1);
    end[7] = 1;
    rig.port("a").arriving.add(end);
    assertEquals(0, first.join());
    assertEquals(0, second.join());
    assertEquals("two", context.info().handlers());
  }

  @Test
  void handlersThatAreRefusedMeanwhileDoNotCome() {
    LiveContext context = withOpenMessage(patient());
    HandlerImage image = SpinRig.image("pong", Optional.empty());
    CompletableFuture<Integer> end = swapping(context, image);
    rig.core.updates().refused(List.of(image), "no signature");
    assertEquals(Errno.EACCES, end.join());
    assertEquals(ContextState.ATTACHED, context.state());
    assertEquals("ping", context.info().handlers());
  }

  @Test
  void whoNoLongerWaitsHasTheOldHandlers() throws InterruptedException {
    LiveContext context = withOpenMessage(patient());
    AtomicReference<IsleException> refusal = new AtomicReference<>();
    Thread thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    context.swap(SpinRig.image("pong", Optional.empty()));
                  } catch (IsleException e) {
                    refusal.set(e);
                  }
                });
    holds(() -> thread.getState() == Thread.State.TIMED_WAITING, "a swap");
    thread.interrupt();
    thread.join();
    assertEquals(Errno.ECANCELED, refusal.get().code());
    byte[] other = SpinRig.frame(1);
    other[44] = 16;
    byte[] end = SpinRig.frame(1);
    end[7] = 1;
    rig.port("a").arriving.add(end);
    rig.port("a").arriving.add(other);
    // nothing is held: another message of the queue begins
    holds(() -> context.info().stats().tasks() == 6, "" + context.info().stats());
    assertEquals("ping", context.info().handlers());
  }

  @Test
  void aRecoveryInTheMiddleOfASwapComesFirst() {
    LiveContext context = withOpenMessage(patient());
    CompletableFuture<Integer> end = swapping(context, SpinRig.image("pong", Optional.empty()));
    rig.device.interrupt();
    rig.core.freeze("spin0");
    assertEquals(ContextState.RECOVERING, context.state());
    rig.device.comeBack();
    assertEquals(0, end.join());
    assertEquals("pong", context.info().handlers());
    rig.handler = SpinRig::echo;
    rig.port("a").arriving.add(SpinRig.frame(1));
    holds(() -> rig.port("a").left.poll() != null, "an answer");
  }

  @Test
  void aBundleThatComesDuringARecoveryIsNotMissed() {
    patient();
    rig.handlers.add(1, SpinRig.image("ping", Optional.empty()));
    rig.file("io.isle.spin-echo", "nic", "nic0", "handlers", "ping", "rules", ONES);
    holds(() -> info("echo").state() == ContextState.ATTACHED, "attached");
    LiveContext context = rig.core.find("echo").orElseThrow();
    rig.device.interrupt();
    rig.core.freeze("spin0");
    HandlerImage next = SpinRig.image("ping", Optional.empty());
    rig.handlers.add(1, next);
    rig.core.updates().came("ping");
    rig.device.comeBack();
    holds(() -> context.image() == next, "the newest handlers");
  }

  @Test
  void refusedHandlersLeaveTheOldRulesToo() {
    patient();
    rig.handlers.add(1, SpinRig.image("ping", Optional.empty()));
    rig.handlers.add(1, SpinRig.image("bad", Optional.empty()));
    rig.file("io.isle.spin-echo", "nic", "nic0", "handlers", "ping", "rules", ONES);
    holds(() -> info("echo").state() == ContextState.ATTACHED, "attached");
    LiveContext context = rig.core.find("echo").orElseThrow();
    String rules = info("echo").rules();
    rig.device.refuse = "bad";
    rig.file(
        "io.isle.spin-echo",
        "nic",
        "nic0",
        "handlers",
        "bad",
        "rules",
        "AND {0, 0xff000000, 0x02000000, 0x02000000}");
    holds(() -> rig.device.refusals == 1 && context.spec().handlers().name().equals("ping"), "no");
    assertEquals(rules, info("echo").rules());
    rig.device.interrupt();
    rig.core.freeze("spin0");
    rig.device.comeBack();
    holds(() -> context.state() == ContextState.ATTACHED, "attached again");
    assertEquals(rules, info("echo").rules());
    rig.port("a").arriving.add(SpinRig.frame(1));
    holds(() -> rig.port("a").left.poll() != null, "an answer");
  }

  private ContextInfo info(String name) {
    return rig.core.contexts().stream()
        .filter(one -> one.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void handlersWithoutRulesGetThePacketsOfThoseBefore() {
    rig.nic("nic0", "port", "test:a", "host", "test:b");
    HandlerImage ones = SpinRig.image("ones", Optional.of(Rulesets.parse(ONES).all().getFirst()));
    rig.handlers.add(1, ones);
    rig.file("io.isle.spin-ping", "nic", "nic0", "handlers", "ones");
    holds(() -> rig.core.find("ping").isPresent(), "the context");
    LiveContext context = rig.core.find("ping").orElseThrow();
    String rules = context.info().rules();
    rig.core.swap("ping", SpinRig.image("plain", Optional.empty()));
    assertEquals("plain", context.info().handlers());
    assertEquals(rules, context.info().rules());
    rig.core.swap(
        "ping", SpinRig.image("all", Optional.of(Rulesets.parse("match").all().getFirst())));
    assertEquals("AND EOM TRUE", context.info().rules());
    rig.core.swap("ping", ones);
    assertEquals(rules, context.info().rules());
  }
}
