package io.isle.benchmarks.recovery;

import io.isle.api.device.Recovery;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import io.isle.benchmarks.Tenant;
import io.isle.benchmarks.embedded.EmbeddedPlatform;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleException;

/**
 * What a crash of a driver costs a tenant, in time from the crash to the next submission that ends
 * well, against a cold start of the same host measured alternately; and what recovering needs in
 * other ways: contexts, bundles, tiers.
 */
public final class RecoveryBench {
  private static final String NAME = "recovery";
  private static final int CONTEXTS = 64;
  private static final int LEAST_BURSTS = 200;
  private static final String REBUILD = "rebuild-" + CONTEXTS + "-contexts";
  private static final long HANG_LIMIT_US = 20_000;
  private static final long BUSY_US = 100;
  private static final double WITHIN_NS = 10_000_000;
  private static final double REBUILT_NS = 30_000_000;
  private static final String COLD = "cold start of the same host";

  private final Settings settings;
  private final Rounds rounds;
  private final PrintStream progress;

  public RecoveryBench(Settings settings, PrintStream progress) {
    this.settings = settings;
    rounds = settings.size(Rounds.ALL, Rounds.SMOKE);
    this.progress = progress;
  }

  /** A case, or several that are measured together. */
  private interface Case {
    List<Row> run() throws IOException, BundleException, InterruptedException;
  }

  /**
   * Runs all cases, or those that the property {@code isle.bench.cases} names, separated by commas.
   */
  public List<Row> run() throws IOException, BundleException, InterruptedException {
    List<Row> rows = new ArrayList<>();
    try (EmbeddedPlatform platform = EmbeddedPlatform.ofDevices(settings);
        ColdStart cold = new ColdStart(settings)) {
      for (String kind : List.of("segv", "abort", "exit", "kill")) {
        take("crash-to-next-success-" + kind, rows, () -> crashes(platform, cold, kind));
      }
      take("burst", rows, () -> List.of(burst(platform, cold)));
      take("hang", rows, () -> List.of(hang(platform)));
      take(REBUILD, rows, () -> List.of(contexts(platform)));
      take("reload-tier1", rows, () -> List.of(reload(platform)));
    }
    take("jvm-host", rows, () -> List.of(jvmHost()));
    take("tier2-cost", rows, () -> List.of(tiers()));
    return rows;
  }

  private void take(String name, List<Row> rows, Case one)
      throws IOException, BundleException, InterruptedException {
    String wanted = System.getProperty("isle.bench.cases", "");
    if (wanted.isEmpty() || List.of(wanted.split(",", -1)).contains(name)) {
      List<Row> made = one.run();
      made.forEach(row -> progress.println("recovery: " + row.json()));
      rows.addAll(made);
    }
  }

  private List<Row> crashes(EmbeddedPlatform platform, ColdStart cold, String kind) {
    String name = "crash-to-next-success-" + kind;
    double[] ours = new double[rounds.crashes()];
    double[] peer = new double[rounds.crashes()];
    try (CrashTenant tenant = new CrashTenant(platform, "soft1", 2, 1, 0)) {
      for (int i = -rounds.warmUp(); i < rounds.crashes(); i++) {
        say(name, i, rounds.crashes());
        tenant.awaitStandby();
        double crash = crash(tenant, kind);
        double start = cold.measure();
        if (i >= 0) {
          ours[i] = crash;
          peer[i] = start;
        }
      }
    }
    return List.of(
        Row.against(NAME, name, "ns", "lower", ours, peer, COLD, 2.0).withP99(ours),
        Row.absolute(NAME, name + "-abs", "ns", "lower", ours, WITHIN_NS).withP99(ours));
  }

  private static double crash(CrashTenant tenant, String kind) {
    tenant.submitUntilSuccess();
    long start;
    if (kind.equals("kill")) {
      start = System.nanoTime();
      tenant.kill();
    } else {
      tenant.plan(kind);
      start = System.nanoTime();
    }
    tenant.submitUntilFailure();
    tenant.submitUntilSuccess();
    return System.nanoTime() - start;
  }

  /** The second crash comes before there is a standby again. */
  private Row burst(EmbeddedPlatform platform, ColdStart cold) {
    double[] ours = new double[rounds.crashes()];
    double[] peer = new double[rounds.crashes()];
    int taken = 0;
    try (CrashTenant tenant = new CrashTenant(platform, "soft1", 2, 1, 0)) {
      for (int tries = 0; taken < rounds.crashes(); tries++) {
        if (tries > Math.max(LEAST_BURSTS, 5 * rounds.crashes())) {
          throw new IllegalStateException("a standby is always there again before a second crash");
        }
        say("burst", taken, rounds.crashes());
        tenant.awaitStandby();
        double first = crash(tenant, "kill");
        long before = tenant.recoveries();
        double second = crash(tenant, "segv");
        double start = cold.measure();
        Recovery recovery = tenant.awaitRecovery(before);
        if (!recovery.standby() && first > 0) {
          ours[taken] = second;
          peer[taken++] = start;
        }
      }
    }
    return Row.against(NAME, "burst", "ns", "lower", ours, peer, COLD, 0.9).withP99(ours);
  }

  /** From the moment that the limit is passed. */
  private Row hang(EmbeddedPlatform platform) {
    double[] ours = new double[rounds.hangs()];
    try (CrashTenant tenant = new CrashTenant(platform, "soft1", 2, 1, HANG_LIMIT_US)) {
      for (int i = 0; i < rounds.hangs(); i++) {
        say("hang", i, rounds.hangs());
        tenant.submitUntilSuccess();
        tenant.plan("hang");
        long start = System.nanoTime();
        tenant.submitUntilFailure();
        tenant.submitUntilSuccess();
        ours[i] = System.nanoTime() - start - HANG_LIMIT_US * 1000.0;
      }
    }
    return Row.absolute(NAME, "hang", "ns", "lower", ours, null).withP99(ours);
  }

  /** The whole sequence, as the platform itself measures it. */
  private Row contexts(EmbeddedPlatform platform) {
    double[] ours = new double[rounds.crashes()];
    try (CrashTenant tenant = new CrashTenant(platform, "soft1", 2, CONTEXTS, 0)) {
      for (int i = 0; i < rounds.crashes(); i++) {
        say(REBUILD, i, rounds.crashes());
        tenant.awaitStandby();
        long before = tenant.recoveries();
        double ignored = crash(tenant, "kill");
        Recovery recovery = tenant.awaitRecovery(before);
        if (recovery.work().contexts() != CONTEXTS) {
          throw new IllegalStateException("not every context was rebuilt: " + recovery);
        }
        ours[i] = recovery.totalNs();
      }
    }
    return Row.absolute(NAME, REBUILD, "ns", "lower", ours, REBUILT_NS).withP99(ours);
  }

  private Row reload(EmbeddedPlatform platform) throws IOException, BundleException {
    // a device in tier 2 would start processes beside what is measured, and beside the peer
    EmbeddedPlatform.Closed other = platform.without("soft0");
    try {
      return reloadAlone(platform);
    } finally {
      other.close();
    }
  }

  private Row reloadAlone(EmbeddedPlatform platform) throws IOException, BundleException {
    double[] ours = new double[rounds.crashes()];
    double[] peer = new double[rounds.crashes()];
    Bundle driver = platform.bundle("isle-drivers-soft");
    byte[] jar = Files.readAllBytes(platform.file("isle-drivers-soft"));
    EmptyBundle empty = new EmptyBundle(platform.context());
    try (CrashTenant tenant = new CrashTenant(platform, "soft1", 1, 1, 0)) {
      for (int i = -rounds.warmUp(); i < rounds.crashes(); i++) {
        say("reload-tier1", i, rounds.crashes());
        platform.settle();
        tenant.submitUntilSuccess();
        int epoch = tenant.epoch();
        long start = System.nanoTime();
        driver.update(new ByteArrayInputStream(jar));
        tenant.submitUntilSuccessAfter(epoch);
        double reload = System.nanoTime() - start;
        double plain = empty.measure();
        if (i >= 0) {
          ours[i] = reload;
          peer[i] = plain;
        }
      }
    }
    return Row.against(
            NAME, "reload-tier1", "ns", "lower", ours, peer, "update of an empty bundle", 0.5)
        .withP99(ours);
  }

  private Row jvmHost() throws IOException, InterruptedException {
    double[] ours = new double[rounds.starts()];
    for (int i = 0; i < rounds.starts(); i++) {
      say("jvm-host", i, rounds.starts());
      ours[i] = JvmHost.measure();
    }
    return Row.absolute(NAME, "jvm-host", "ns", "lower", ours, null).withP99(ours);
  }

  private Row tiers() {
    double[] ours = new double[rounds.pairs()];
    double[] peer = new double[rounds.pairs()];
    for (int i = 0; i < rounds.pairs(); i++) {
      say("tier2-cost", i, rounds.pairs());
      ours[i] = throughput(2);
      peer[i] = throughput(1);
    }
    return Row.against(NAME, "tier2-cost", "/s", "higher", ours, peer, "the same in tier 1", 0.99);
  }

  private double throughput(int tier) {
    try (Tenant tenant = new Tenant(settings.nativeDirectory(), tier, 64, BUSY_US)) {
      double ignored = tenant.throughput(rounds.busy() / 10);
      return 1e9 / tenant.throughput(rounds.busy());
    }
  }

  private void say(String name, int done, int of) {
    if (done % 50 == 0) {
      progress.printf("recovery: %s %d of %d%n", name, done, of);
    }
  }
}
