package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.DeviceQuery;
import io.isle.api.accel.Mapping;
import io.isle.api.accel.ProgramSource;
import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.api.base.IsleException;
import io.isle.api.device.DeviceClass;
import io.isle.api.device.Priority;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.ContextArgs;
import io.isle.api.driver.DeviceInfo;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.CapabilitySpec;
import io.isle.api.tenancy.Permission;
import io.isle.core.accel.admission.ContextRules;
import io.isle.core.accel.ids.CoreIds;
import io.isle.core.accel.settings.AccelLimits;
import io.isle.lib.ids.IdPool;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class LimitsTest {
  private static final ContextSpec SPEC = ContextSpec.named("limits");

  private final Fixture fixture = new Fixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void memoryBeyondTheLimitNeverReachesTheDriver() {
    try (Context context = fixture.context(SPEC.withMaxMemoryBytes(10_000))) {
      Buffer first = context.allocate(6000, 0);
      refused(Errno.ENOMEM, "maxMemoryBytes", () -> context.allocate(4001, 0));
      refused(Errno.ENOMEM, "maxMemoryBytes", () -> context.allocate(Long.MAX_VALUE, 0));
      assertEquals(1, fixture.device.memory.size());
      context.allocate(4000, 0);
      assertEquals(10_000, context.info().memoryBytes());
      first.close();
      assertEquals(4000, context.info().memoryBytes());
      context.allocate(6000, 0);
    }
    try (Context context = fixture.context()) {
      refused(Errno.ENOMEM, "allocate", () -> context.allocate(2 << 20, 0));
      assertEquals(0, context.info().memoryBytes());
    }
  }

  @Test
  void howManyMayBeInFlightChangesAtOnce() throws Exception {
    Context context = fixture.context();
    long first = context.submit(context.writer());
    context.submit(context.writer());
    List<ScriptedDevice.Submission> running = fixture.device.awaitRunning(2);
    fixture.core.configure(new AccelLimits(1, 5000, 250, 10_000, 10));
    long last = context.submit(context.writer());
    int ignored = fixture.device.complete(running.get(0), CompletionSink.SUCCESS);
    assertEquals(0, context.await(first, -1));
    // after the second the agent has made a whole cycle
    fixture.attachment.unpause();
    fixture.attachment.unpause();
    assertEquals(1, fixture.device.running.size());
    ignored = fixture.device.complete(running.get(1), CompletionSink.SUCCESS);
    running = fixture.device.awaitRunning(1);
    fixture.core.configure(AccelLimits.DEFAULT);
    context.submit(context.writer());
    fixture.device.awaitRunning(2);
    ignored = fixture.device.complete(running.get(0), CompletionSink.SUCCESS);
    assertEquals(0, context.await(last, -1));
  }

  @Test
  void aCapabilityLimitsMemoryToo() {
    Capability narrow =
        fixture.capabilities.grant(
            "n", Set.of(Permission.ACCEL_COMPUTE, Permission.ACCEL_MEMORY), 100);
    try (Context context = fixture.accelerator().open(narrow, SPEC.withMaxMemoryBytes(1000))) {
      refused(Errno.ENOMEM, "100", () -> context.allocate(101, 0));
      assertEquals(100, context.info().maxMemoryBytes());
    }
  }

  @Test
  void executionLimitsHaveTheClassesDefault() {
    assertEquals(5_000_000, argsOf(SPEC).maxExecutionUs());
    assertEquals(10, argsOf(SPEC.withMaxExecutionUs(10)).maxExecutionUs());
    assertEquals(0, argsOf(SPEC.withMaxExecutionUs(0)).maxExecutionUs());
    Capability plain = fixture.capabilities.grant("p", Set.of(Permission.ACCEL_COMPUTE), 0);
    refused(
        Errno.EACCES,
        "accel_preempt",
        () -> fixture.accelerator().open(plain, SPEC.withMaxExecutionUs(0)));
  }

  @ParameterizedTest
  @EnumSource
  void aGraphicsDevicesLimitIsAFrame(DeviceClass deviceClass) {
    DeviceInfo known = FakeDevice.info(1);
    DeviceInfo info =
        new DeviceInfo(
            deviceClass, 1, 0, 1, known.preemption(), 256, 0, false, false, false, false);
    long usual = deviceClass == DeviceClass.GPU ? 16_667 : 5_000_000;
    assertEquals(usual, ContextRules.executionLimitUs(SPEC, info));
    assertEquals(7, ContextRules.executionLimitUs(SPEC.withMaxExecutionUs(7), info));
  }

  @Test
  void fieldsOutOfRangeAreNamed() {
    refusedSpec(Errno.EINVAL, "name", ContextSpec.named(" "));
    refusedSpec(Errno.EINVAL, "name", ContextSpec.named("x".repeat(65)));
    refusedSpec(Errno.EINVAL, "maxMemoryBytes", SPEC.withMaxMemoryBytes(-1));
    refusedSpec(Errno.EINVAL, "maxExecutionUs", SPEC.withMaxExecutionUs(-1));
    for (int depth : new int[] {-4, 0, 1, 3, 8192}) {
      refusedSpec(Errno.EINVAL, "queueDepth", SPEC.withQueue(depth, 256));
    }
    refusedSpec(Errno.EINVAL, "commandBytes", SPEC.withQueue(64, 255));
    refusedSpec(Errno.EINVAL, "commandBytes", SPEC.withQueue(64, 65537));
    refusedSpec(
        Errno.ERANGE,
        "guaranteedBandwidthUs: 999 is not in 1000..1000000",
        SPEC.withGuarantee(999, 0));
    refusedSpec(
        Errno.ERANGE,
        "guaranteedBandwidthUs: 2001 is not in 1000..2000",
        SPEC.withGuarantee(2001, 2000));
    refusedSpec(Errno.ERANGE, "guaranteedBandwidthUs: -1", SPEC.withGuarantee(-1, 0));
    for (long period : new long[] {-1, 1, 999, 10_000_001, Long.MAX_VALUE}) {
      refusedSpec(
          Errno.ERANGE,
          "bandwidthPeriodUs: " + period + " is not in 1000..10000000",
          SPEC.withGuarantee(1000, period));
    }
    refusedSpec(Errno.EINVAL, "bandwidthPeriodUs: 1000 has no effect", SPEC.withGuarantee(0, 1000));
    refusedSpec(Errno.ENOSPC, "queueDepth", SPEC.withQueue(4096, 65536));
    assertTrue(fixture.device.contexts.isEmpty());
  }

  @Test
  void contextsAreCounted() {
    List<Context> open = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      open.add(fixture.context(SPEC.withQueue(4, 256)));
    }
    refusedSpec(Errno.ENOSPC, "8 contexts", SPEC);
    open.get(0).close();
    fixture.context(SPEC).close();
    assertEquals(7, fixture.accelerator().info().contexts());
    open.forEach(Context::close);
  }

  @Test
  void aTenantHasAtMostHalfOfTheCommandSegment() {
    ContextSpec quarter = SPEC.withQueue(4096, 4096);
    Context first = fixture.context(quarter);
    Context second = fixture.context(quarter);
    refusedSpec(Errno.ENOSPC, "33554432, the limit of one tenant on sim0", SPEC);
    refusedSpec(Errno.ENOSPC, "tenant test has 33554432", SPEC.withQueue(2, 256));
    Capability other = fixture.capabilities.grant("other", Set.of(Permission.values()), 0);
    Context third = fixture.accelerator().open(other, SPEC.withQueue(4096, 8192));
    third.close();
    CapabilitySpec below =
        new CapabilitySpec("test:1", Set.of(Permission.values()), Optional.empty(), 0);
    Capability delegated = fixture.capabilities.delegate(fixture.all, below);
    refused(
        Errno.ENOSPC,
        "tenant test has 33554432",
        () -> fixture.accelerator().open(delegated, SPEC.withQueue(2, 256)));
    first.close();
    fixture.context(quarter).close();
    second.close();
    fixture.context(SPEC.withQueue(4096, 8192)).close();
    refusedSpec(Errno.ENOSPC, "33554432", SPEC.withQueue(4096, 8256));
  }

  @Test
  void aTenantHasAtMostHalfOfEachTableOfIds() {
    CoreIds ids = fixture.core.services().ids();
    Context context = fixture.context();
    Capability other = fixture.capabilities.grant("other", Set.of(Permission.values()), 0);
    Context strange = fixture.accelerator().open(other, SPEC);
    takeShare(ids.memory());
    refused(
        Errno.ENOSPC,
        "tenant test has 32768 of the node's 65536 memory objects",
        () -> context.allocate(1, 0));
    assertEquals(0, context.info().memoryBytes());
    strange.allocate(1, 0).close();
    takeShare(ids.programs());
    ProgramSource sum = new ProgramSource.Builtin("sum");
    refused(Errno.ENOSPC, "32768 of the node's 65536 programs", () -> context.load(sum));
    strange.load(sum).close();
    takeShare(ids.contexts());
    refusedSpec(Errno.ENOSPC, "2048 of the node's 4096 contexts", SPEC);
    fixture.accelerator().open(other, SPEC).close();
  }

  /** What is left of the share of the tenant of the tests. */
  private static void takeShare(IdPool pool) {
    try {
      while (true) {
        long ignored = pool.take("test");
      }
    } catch (AccelException e) {
      assertEquals(Errno.ENOSPC, e.code());
    }
  }

  @Test
  void everyCallNeedsItsRight() {
    Capability none = fixture.capabilities.grant("n", Set.of(Permission.ACCEL_MEMORY), 0);
    refused(Errno.EACCES, "accel_compute", () -> fixture.accelerator().open(none, SPEC));
    Capability compute = fixture.capabilities.grant("c", Set.of(Permission.ACCEL_COMPUTE), 0);
    refused(
        Errno.EACCES,
        "accel_context_rt",
        () -> fixture.accelerator().open(compute, SPEC.withPriority(Priority.REALTIME)));
    Context context = fixture.accelerator().open(compute, SPEC);
    refused(Errno.EACCES, "accel_memory", () -> context.allocate(1, 0));
    context.load(new ProgramSource.Builtin("sum"));
    refused(Errno.EACCES, "accel_perf", context::counters);
    fixture.capabilities.revoke(compute);
    assertEquals(-Errno.EREVOKED, context.submit(context.writer()));
    refused(Errno.EREVOKED, "", () -> context.allocate(1, 0));
    refused(Errno.EREVOKED, "", () -> context.load(new ProgramSource.Builtin("sum")));
    refused(Errno.EREVOKED, "", () -> fixture.accelerator().open(compute, SPEC));
  }

  @Test
  void countersAreTheDevicesOwn() {
    Context context = fixture.context();
    refused(Errno.ENOTSUP, "no performance counters", context::counters);
    fixture.lose();
    fixture.device.reports = true;
    fixture.online(fixture.device, 2);
    Context second = fixture.context();
    assertEquals(Ids.index(second.id()), second.counters().kernelCount());
    assertEquals(8, second.counters().vendor().size());
  }

  @Test
  void buffersAndProgramsRefuseWhatTheyMust() {
    Context context = fixture.context();
    refused(Errno.EINVAL, "bytes", () -> context.allocate(0, 0));
    refused(Errno.EINVAL, "flags", () -> context.allocate(1, 1));
    refused(Errno.ENOENT, "no such program", () -> context.load(new ProgramSource.Builtin("no")));
    refused(Errno.EINVAL, "name", () -> context.load(new ProgramSource.Builtin("")));
    Buffer buffer = context.allocate(100, Buffer.PINNED);
    Context other = fixture.context();
    refused(Errno.ENOTSUP, "address spaces", () -> other.attach(buffer.memory(), Buffer.READ));
    refused(Errno.EINVAL, "access", () -> context.attach(buffer.memory(), 0));
    Capability foreign = fixture.capabilities.grant("stranger", Set.of(Permission.values()), 0);
    Context strange = fixture.accelerator().open(foreign, SPEC);
    refused(Errno.EACCES, "tenant", () -> strange.attach(buffer.memory(), Buffer.READ));
    Mapping mapping = buffer.map();
    assertEquals(100, mapping.segment().byteSize());
    refused(Errno.EBUSY, "mapped", buffer::close);
    mapping.close();
    assertThrows(IllegalStateException.class, mapping::segment);
    Buffer second = context.attach(buffer.memory(), Buffer.READ);
    buffer.close();
    assertEquals(1, fixture.device.memory.size());
    assertEquals(1, second.memory().references());
    second.close();
    second.close();
    assertEquals(0, fixture.device.memory.size());
    refused(Errno.ECLOSED, "closed", second::map);
  }

  @Test
  void whatDoesNotExistIsNotFound() {
    refused(Errno.ENODEV, "soft7", () -> fixture.view.find(DeviceQuery.id("soft7")));
  }

  private ContextArgs argsOf(ContextSpec spec) {
    try (Context context = fixture.context(spec)) {
      return fixture.device.contexts.get(context.id());
    }
  }

  private void refusedSpec(int code, String text, ContextSpec spec) {
    AccelException refusal = assertThrows(AccelException.class, () -> fixture.context(spec));
    assertEquals(code, refusal.code());
    assertTrue(refusal.getMessage().contains(text), refusal.getMessage());
  }

  private static void refused(int code, String text, Runnable action) {
    IsleException refusal = assertThrows(IsleException.class, action::run);
    assertEquals(code, refusal.code(), refusal.getMessage());
    assertTrue(refusal.getMessage().contains(text), refusal.getMessage());
  }
}
