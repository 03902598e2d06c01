package io.isle.apps.blockhash;

import io.isle.api.base.Errno;
import io.isle.api.jobs.ActionParameter;
import io.isle.api.jobs.ActionStep;
import io.isle.api.jobs.JobAction;
import io.isle.api.jobs.JobException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.osgi.service.component.annotations.Component;

/**
 * A step that computes the SHA-256 of every block of a file on the CPU and compares each with its
 * line {@code HEX INDEX} of another file, which an earlier step of the job may have written.
 * Thread-safe.
 */
@Component(service = JobAction.class)
public final class BlockhashAction implements JobAction {
  private static final String FILE = "file";
  private static final String HASHES = "hashes";
  private static final String BLOCK = "block";
  private static final String BLOCKS = "blocks";
  private static final String WRONG = "wrong";
  private static final String FLIP = "flip";
  private static final long MAX_BLOCK = 1L << 30;

  /** Blocks of each running step whose first bit is still to be flipped. */
  private final Map<ActionStep, AtomicLong> flips = new ConcurrentHashMap<>();

  @Override
  public String key() {
    return "blockhash";
  }

  @Override
  public List<ActionParameter> parameters() {
    return List.of(
        ActionParameter.of(FILE, ActionParameter.Kind.FILE),
        ActionParameter.of(HASHES, ActionParameter.Kind.FILE),
        ActionParameter.whole(BLOCK, 1, MAX_BLOCK).orElse("1MiB"));
  }

  @Override
  public Set<String> measures() {
    return Set.of(BLOCKS, WRONG);
  }

  @Override
  public Set<String> faults() {
    return Set.of(FLIP);
  }

  /** The next {@code count} blocks are read with one bit flipped, so that their hashes differ. */
  @Override
  public void fault(ActionStep step, String fault, long count, long value) {
    AtomicLong pending = flips.get(step);
    if (pending == null) {
      throw JobException.failed(Errno.ENOENT, "the step " + step.name() + " has ended", null);
    }
    long ignored = pending.addAndGet(count);
  }

  @Override
  public void run(ActionStep step) throws IOException, InterruptedException {
    AtomicLong pending = new AtomicLong();
    flips.put(step, pending);
    try (InputStream file = step.read(FILE);
        InputStream hashes = new BufferedInputStream(step.read(HASHES))) {
      compare(step, new Blocks(file, step.values().whole(BLOCK)), new Lines(hashes), pending);
    } finally {
      flips.remove(step);
    }
  }

  private static void compare(ActionStep step, Blocks blocks, Lines lines, AtomicLong pending)
      throws IOException, InterruptedException {
    long wrong = 0;
    long index = 0;
    while (true) {
      boolean flip = pending.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
      boolean more = blocks.next(flip);
      String given = lines.next();
      if (!more && given == null) {
        break;
      }
      if (!more || !(blocks.hash() + "  " + index).equals(given)) {
        if (wrong == 0) {
          step.print(different(step, blocks, index, more, given));
        }
        wrong++;
      }
      if (more) {
        step.done(blocks.length(), 1);
      }
      index++;
      if (Thread.interrupted()) {
        throw new InterruptedException("cancelled");
      }
    }
    step.measure(BLOCKS, blocks.count());
    step.measure(WRONG, wrong);
  }

  private static String different(
      ActionStep step, Blocks blocks, long index, boolean more, String given) {
    String hashes = step.values().path(HASHES).toString();
    return "line "
        + (index + 1)
        + " of "
        + hashes
        + (given == null ? " is missing" : " is '" + given + "'")
        + "; "
        + (more ? "the CPU computes " + blocks.hash() : "the file has no further block");
  }
}
