package io.isle.inference.engine.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.isle.api.inference.DriftEvent;
import io.isle.api.inference.FallbackEvent;
import io.isle.api.inference.FallbackEvent.Type;
import io.isle.api.inference.FallbackReason.InputDistributionAnomaly;
import io.isle.api.inference.InferenceListener;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import io.isle.api.observe.AuditFilter;
import io.isle.api.observe.AuditRecord;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.helpers.NOPLogger;

class InferenceReportsTest {
  private static final FallbackEvent ENTERED =
      new FallbackEvent(
          1,
          "page_prefetch",
          "web",
          "",
          Type.ENTERED,
          new InputDistributionAnomaly(2, 900, 0, 100),
          0);
  private static final DriftEvent DRIFT =
      new DriftEvent(2, "page_prefetch", "web", true, 0.52, 0.7, 1234);

  private final Records records = new Records();
  private final InferenceReports reports =
      new InferenceReports(() -> records, NOPLogger.NOP_LOGGER);

  @AfterEach
  void close() {
    reports.close();
  }

  @Test
  void eachEventIsAudited() {
    for (Type type : Type.values()) {
      reports.fallback(
          new FallbackEvent(1, "page_prefetch", "", "npu0", type, ENTERED.reason(), 0));
    }
    reports.drift(DRIFT);
    assertEquals(
        List.of(
            "inference.entered",
            "inference.recovery_attempt",
            "inference.recovered",
            "inference.escalation_warning",
            "inference.escalation_critical",
            "inference.auto_disabled",
            "inference.admin_reset",
            "inference.drift"),
        records.list.stream().map(AuditEvent::action).toList());
    AuditEvent first = records.list.getFirst();
    assertEquals("page_prefetch", first.object());
    assertEquals("npu0", first.device());
    assertEquals("isle", first.actor());
    assertEquals(
        "reason=input_anomaly device=npu0 feature=2 value=900 min=0 max=100", first.detail());
  }

  @Test
  void listenersHearOfAllInOrderThoughOneFails() throws InterruptedException {
    BlockingQueue<Object> heard = new LinkedBlockingQueue<>();
    InferenceListener failing =
        new InferenceListener() {
          @Override
          public void onFallback(FallbackEvent event) {
            throw new IllegalStateException("broken");
          }
        };
    InferenceListener sound = collector(heard);
    reports.add(failing);
    reports.add(sound);
    reports.fallback(ENTERED);
    reports.drift(DRIFT);
    assertEquals(ENTERED, heard.poll(1, TimeUnit.MINUTES));
    assertEquals(DRIFT, heard.poll(1, TimeUnit.MINUTES));
    reports.remove(sound);
    reports.fallback(ENTERED);
    reports.close();
    assertTrue(heard.isEmpty());
  }

  @Test
  void whileAListenerIsStuckEventsAreCountedOnly() throws InterruptedException {
    BlockingQueue<Object> heard = new LinkedBlockingQueue<>();
    CountDownLatch stuck = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    reports.add(
        new InferenceListener() {
          @Override
          public void onDrift(DriftEvent event) {
            stuck.countDown();
            try {
              go.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
        });
    reports.add(collector(heard));
    reports.drift(DRIFT);
    assertTrue(stuck.await(1, TimeUnit.MINUTES));
    for (int i = 0; i < Listeners.WAITING + 10; i++) {
      reports.fallback(ENTERED);
    }
    go.countDown();
    assertEquals(DRIFT, heard.poll(1, TimeUnit.MINUTES));
    for (int i = 0; i < Listeners.WAITING; i++) {
      assertEquals(ENTERED, heard.poll(1, TimeUnit.MINUTES));
    }
    reports.drift(DRIFT);
    assertEquals(DRIFT, heard.poll(1, TimeUnit.MINUTES), "more than could wait were told");
  }

  @Test
  void recordingsOfTheJvmHaveThemAndDecisionsWhenAsked(@TempDir Path folder) throws IOException {
    DecisionTrace trace = new DecisionTrace("page_prefetch", "web");
    List<RecordedEvent> without = recorded(folder.resolve("without.jfr"), false, trace);
    assertEquals(
        List.of("isle_inference_fallback", "isle_inference_drift"),
        without.stream().map(event -> event.getEventType().getName()).toList());
    assertEquals("input_anomaly", without.getFirst().getString("reason"));
    assertEquals("entered", without.getFirst().getString("event"));
    assertEquals(0.52, without.getLast().getDouble("accuracy"));
    List<RecordedEvent> with = recorded(folder.resolve("with.jfr"), true, trace);
    RecordedEvent decision = with.getLast();
    assertEquals("isle_inference_decision", decision.getEventType().getName());
    assertEquals("[1, 2]", decision.getString("features"));
    assertEquals("[3]", decision.getString("answer"));
    assertEquals("web", decision.getString("group"));
    assertTrue(decision.getBoolean("byModel"));
  }

  @Test
  void withoutARecordingADecisionAllocatesNothing() {
    DecisionTrace trace = new DecisionTrace("page_prefetch", "web");
    int[] values = {1};
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 10; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < 1000; i++) {
        trace.decided(values, values, false);
      }
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    assertEquals(0, least);
  }

  private List<RecordedEvent> recorded(Path file, boolean decisions, DecisionTrace trace)
      throws IOException {
    try (Recording recording = new Recording()) {
      if (decisions) {
        recording.enable("isle_inference_decision");
      }
      recording.start();
      reports.fallback(ENTERED);
      reports.drift(DRIFT);
      trace.decided(new int[] {1, 2}, new int[] {3}, true);
      recording.stop();
      recording.dump(file);
    }
    assertFalse(Files.notExists(file));
    try (Stream<RecordedEvent> all = RecordingFile.readAllEvents(file).stream()) {
      return all.filter(event -> event.getEventType().getName().startsWith("isle_"))
          .sorted((a, b) -> a.getStartTime().compareTo(b.getStartTime()))
          .toList();
    }
  }

  private static InferenceListener collector(BlockingQueue<Object> heard) {
    return new InferenceListener() {
      @Override
      public void onFallback(FallbackEvent event) {
        heard.add(event);
      }

      @Override
      public void onDrift(DriftEvent event) {
        heard.add(event);
      }
    };
  }

  private static final class Records implements Audit {
    private final List<AuditEvent> list = new ArrayList<>();

    @Override
    public void record(AuditEvent event) {
      list.add(event);
    }

    @Override
    public List<AuditRecord> tail(int limit, AuditFilter filter) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<AuditRecord> awaitNext(AuditFilter filter) {
      throw new UnsupportedOperationException();
    }
  }
}
