package io.isle.apps.chaos.work;

import io.isle.apps.chaos.check.LedgerEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Where tenants and faults write down what they see. Thread-safe. */
public final class Recorder {
  private record End(String device, int status) {}

  /** More lines of one run do not help anybody. */
  private static final int MAX_PROBLEMS = 200;

  private final Consumer<LedgerEvent> ledger;
  private final Executor listening;
  private final AtomicInteger contexts = new AtomicInteger();
  private final AtomicLong accepted = new AtomicLong();
  private final Map<End, AtomicLong> ends = new ConcurrentHashMap<>();
  private final List<String> problems = new ArrayList<>();
  private volatile int step;

  /**
   * @param ledger hears of everything
   * @param listening on which completions are heard
   */
  public Recorder(Consumer<LedgerEvent> ledger, Executor listening) {
    this.ledger = ledger;
    this.listening = listening;
  }

  Executor listening() {
    return listening;
  }

  /** A new context; its number in the ledger. */
  int opened(String name) {
    int number = contexts.incrementAndGet();
    ledger.accept(new LedgerEvent.Opened(number, name + "#" + number));
    return number;
  }

  void record(LedgerEvent event) {
    if (event instanceof LedgerEvent.Submitted) {
      accepted.incrementAndGet();
    }
    ledger.accept(event);
  }

  /** A completion on a device. */
  public void ended(String device, LedgerEvent.Ended event) {
    ledger.accept(event);
    ends.computeIfAbsent(new End(device, event.status()), end -> new AtomicLong())
        .incrementAndGet();
  }

  /** Submissions accepted so far. */
  public long accepted() {
    return accepted.get();
  }

  /** Whether as many submissions ended as were accepted. */
  public boolean allEnded() {
    return ends.values().stream().mapToLong(AtomicLong::get).sum() >= accepted.get();
  }

  /** Submissions on a device that ended so far. */
  public long ended(String device) {
    return ends.entrySet().stream()
        .filter(entry -> entry.getKey().device().equals(device))
        .mapToLong(entry -> entry.getValue().get())
        .sum();
  }

  /** Submissions on a device that ended so far with {@code status}, 0 or a negated code. */
  public long ended(String device, int status) {
    AtomicLong count = ends.get(new End(device, status));
    return count == null ? 0 : count.get();
  }

  /** The newest step of the schedule. */
  public int step() {
    return step;
  }

  public void step(int number) {
    step = number;
  }

  /** Something that must not be; the run fails. */
  public synchronized void problem(String text) {
    if (problems.size() < MAX_PROBLEMS) {
      problems.add(text + " (after step " + step + ")");
    }
  }

  public synchronized List<String> problems() {
    return List.copyOf(problems);
  }
}
