package io.isle.apps.chaos.check;

import io.isle.api.base.Errno;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The history of all submissions of a run, in about 12 bytes each. Events of one submission may
 * come in any order: a completion may be heard before submit has returned. Thread-safe.
 */
public final class Ledger implements Consumer<LedgerEvent> {
  /** Codes with which work may end while faults happen. */
  private static final Set<Integer> ENDS =
      Set.of(Errno.EINTR, Errno.ENODATA, Errno.ENODEV, Errno.ECLOSED, Errno.ETIMEDOUT, Errno.EIO);

  /** Codes with which it may be refused. */
  private static final Set<Integer> REFUSALS =
      Set.of(Errno.EINTR, Errno.ENODATA, Errno.ENODEV, Errno.ECLOSED, Errno.EREVOKED);

  /** Details of at most so many submissions of a sort are kept. */
  private static final int DETAILS = 5;

  private final Map<Integer, Account> accounts = new TreeMap<>();
  private final Map<Integer, Long> illegalRefusals = new TreeMap<>();
  private long refused;

  @Override
  public synchronized void accept(LedgerEvent event) {
    switch (event) {
      case LedgerEvent.Opened opened -> accounts.put(opened.context(), new Account(opened.name()));
      case LedgerEvent.Refused e -> refuse(e);
      default -> account(event.context()).accept(event);
    }
  }

  private void refuse(LedgerEvent.Refused event) {
    refused++;
    if (!REFUSALS.contains(-event.code())) {
      illegalRefusals.merge(event.code(), 1L, Long::sum);
    }
  }

  private Account account(int context) {
    return accounts.computeIfAbsent(context, id -> new Account("context " + id));
  }

  /** What holds so far; at the end of a run every submission must have ended. */
  public synchronized Verdict verdict() {
    Counter count = new Counter();
    accounts.values().forEach(account -> count.account(account));
    illegalRefusals.forEach(
        (code, times) -> {
          count.illegal += times;
          count.problem("illegal", times + " submissions refused with " + Errno.name(code));
        });
    return count.verdict(refused);
  }

  private static final class Counter {
    private final Map<Integer, Long> codes = new HashMap<>();
    private final Map<String, List<String>> problems = new TreeMap<>();
    private long submitted;
    private long checked;
    private long lost;
    private long doubled;
    private long wrong;
    private long illegal;
    private long disagreeing;

    void account(Account account) {
      if (account.invented > 0) {
        doubled += account.invented;
        problem(
            "doubled",
            account.invented
                + " completions of points that were never submitted"
                + " of "
                + account.name);
      }
      for (int point = 1; point <= account.last(); point++) {
        point(account, point);
      }
    }

    private void point(Account account, int point) {
      boolean known = account.submitted(point);
      int ends = account.ends(point);
      if (!known && ends == 0) {
        return;
      }
      submitted += known ? 1 : 0;
      if (ends == 0) {
        lost++;
        problem("lost", where(account, point) + told(account, point));
        return;
      }
      if (ends > (known ? 1 : 0)) {
        doubled++;
        problem("doubled", where(account, point) + " ended " + ends + " times");
      }
      ended(account, point);
    }

    private void ended(Account account, int point) {
      int status = account.status(point);
      codes.merge(-status, 1L, Long::sum);
      if (status != 0 && !ENDS.contains(-status)) {
        illegal++;
        problem("illegal", where(account, point) + " ended with " + Errno.name(status));
      }
      if (account.told(point) != Account.NONE && account.told(point) != status) {
        disagreeing++;
        problem(
            "disagreeing",
            where(account, point)
                + ": the listener got "
                + text(status)
                + ", but the status is "
                + text(account.told(point)));
      }
      if (status == 0 && account.checked(point)) {
        checked++;
        if (account.wrong(point)) {
          wrong++;
          problem(
              "wrong", where(account, point) + " gave a result that differs from the computed one");
        }
      }
    }

    private static String told(Account account, int point) {
      short told = account.told(point);
      return told == Account.NONE
          ? " never ended"
          : " never reached the listener; the status is " + text(told);
    }

    private static String text(int status) {
      return status == 0 ? "0" : Errno.name(status);
    }

    private static String where(Account account, int point) {
      return "point "
          + point
          + " of "
          + account.name
          + ", submitted after step "
          + account.step(point)
          + ",";
    }

    void problem(String kind, String text) {
      List<String> lines = problems.computeIfAbsent(kind, k -> new ArrayList<>());
      if (lines.size() < DETAILS) {
        lines.add(kind + ": " + text);
      }
    }

    Verdict verdict(long refused) {
      return new Verdict(
          submitted,
          Map.copyOf(codes),
          checked,
          refused,
          lost,
          doubled,
          wrong,
          illegal,
          disagreeing,
          problems.values().stream().flatMap(List::stream).toList());
    }
  }
}
