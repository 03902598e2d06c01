package io.isle.api.spin;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.isle.api.base.Errno;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class ContextSpecTest {
  private static final ContextSpec PING =
      ContextSpec.of("ping", new HandlerSource.Installed("udp-ping"));

  private static void refused(Function<ContextSpec, ContextSpec> change, String words) {
    SpinException refusal = assertThrows(SpinException.class, () -> change.apply(PING));
    assertEquals(Errno.EINVAL, refusal.code());
    assertEquals(words, refusal.getMessage());
  }

  @Test
  void limitsAreNamed() {
    refused(spec -> spec.withSlot(4), "slot 4 is not in 0..3");
    refused(spec -> spec.withSlot(-1), "slot -1 is not in 0..3");
    refused(spec -> spec.withHostPages(1025), "host_pages 1025 is not in 0..1024");
    refused(spec -> spec.withHandlerMemory(-1), "handler_memory -1 is not in 0..67108864");
    refused(spec -> spec.withScratchpad(1 << 21), "scratchpad 2097152 is not in 0..1048576");
    refused(
        spec -> ContextSpec.of("a b", spec.handlers()),
        "name: 1 to 64 characters of [A-Za-z0-9._-] are possible");
  }

  @Test
  void copiesKeepTheRest() {
    byte[] init = {1, 2, 3};
    ContextSpec spec =
        PING.withSlot(2)
            .withRules(RulesetPreset.UDP.ruleset())
            .withHostPages(1)
            .withHandlerMemory(8192)
            .withScratchpad(0)
            .withInit(init)
            .withHostReply(HostReply.ECHO);
    init[0] = 9;
    assertEquals(2, spec.slot().orElseThrow());
    assertEquals(Optional.of(RulesetPreset.UDP.ruleset()), spec.rules());
    assertEquals(1, spec.hostPages());
    assertEquals(8192, spec.handlerMemory());
    assertEquals(0, spec.scratchpad());
    assertArrayEquals(new byte[] {1, 2, 3}, spec.init());
    assertEquals(HostReply.ECHO, spec.hostReply());
    assertEquals(spec, spec.withSlot(2));
    assertNotEquals(spec, spec.withSlot(3));
    assertEquals(16, PING.hostPages());
  }

  @Test
  void imagesHaveLimitsAndAreCopied() {
    byte[] bytes = {1, 2};
    HandlerImage image = new HandlerImage("ping", bytes, Optional.empty());
    bytes[0] = 9;
    image.bytes()[1] = 9;
    assertArrayEquals(new byte[] {1, 2}, image.bytes());
    for (int length : new int[] {0, HandlerImage.MAX_BYTES + 1}) {
      SpinException refusal =
          assertThrows(
              SpinException.class,
              () -> new HandlerImage("ping", new byte[length], Optional.empty()));
      assertEquals(Errno.EMSGSIZE, refusal.code());
    }
    assertThrows(SpinException.class, () -> new HandlerImage("", bytes, Optional.empty()));
  }
}
