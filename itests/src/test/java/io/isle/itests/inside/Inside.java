package io.isle.itests.inside;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import io.isle.api.accel.AcceleratorInfo;
import io.isle.api.accel.Accelerators;
import io.isle.api.device.DeviceNode;
import io.isle.api.device.DeviceState;
import io.isle.api.device.DeviceTree;
import io.isle.api.jobs.JobObserver;
import io.isle.api.jobs.JobRequest;
import io.isle.api.jobs.JobResult;
import io.isle.api.jobs.Jobs;
import io.isle.api.tenancy.GroupStatus;
import io.isle.api.tenancy.Groups;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.console.SessionFactory;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.ServiceReference;

/** What the tests inside the container look at: bundles, services, threads, processes, the log. */
final class Inside {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long PAUSE_NS = Duration.ofMillis(5).toNanos();

  /**
   * Threads of the JVM, of Karaf and of Pax Exam, whose numbers vary with what they happen to do.
   */
  private static final Pattern FOREIGN =
      Pattern.compile(
          "(RMI|GC|JMX|pool-N|features-|activator-|Felix|CM |SCR|fileinstall|Karaf|Thread-N"
              + "|process reaper|Attach|Signal|Finalizer|Reference|Common-Cleaner|Notification"
              + "|EventAdmin|Log4j|ForkJoinPool|Timer-|Exam).*");

  /** Threads of pools that end a while after their last work. */
  private static final Pattern IDLE_ENDS =
      Pattern.compile("isle-(device-call|drivers-(guest|work))-N");

  /** Drivers whose devices depend on the machine. */
  private static final Set<String> OF_THE_MACHINE = Set.of("opencl", "spin");

  private final BundleContext context;

  /** Lines of the log before the test. */
  private final List<String> errors;

  Inside(BundleContext context) {
    this.context = context;
    errors = errorsInTheLog();
  }

  /** Polls until nothing is thrown any more; what the last try threw is the failure. */
  static <T> T eventually(Callable<T> attempt) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        return attempt.call();
      } catch (Exception | AssertionError e) {
        if (System.nanoTime() - deadline > 0) {
          throw new AssertionError(e.getMessage(), e);
        }
        LockSupport.parkNanos(PAUSE_NS);
      }
    }
  }

  Bundle bundle(String name) {
    Optional<Bundle> found =
        Stream.of(context.getBundles()).filter(b -> b.getSymbolicName().equals(name)).findAny();
    return found.orElseThrow(() -> new AssertionError("no bundle " + name));
  }

  /** Starts it; the framework may say that its resolver is busy, and then one asks again. */
  static void start(Bundle bundle) {
    eventually(
        () -> {
          bundle.start();
          return bundle;
        });
  }

  static void update(Bundle bundle) {
    try {
      bundle.update();
    } catch (BundleException e) {
      assertTrue(e.toString(), String.valueOf(e.getMessage()).contains("global lock"));
    }
    start(bundle);
  }

  /** Calls a service, which is looked up for just this call. */
  <S, T> T with(Class<S> type, Function<S, T> call) {
    ServiceReference<S> reference = context.getServiceReference(type);
    assertNotNull("no service " + type.getName(), reference);
    S service = context.getService(reference);
    assertNotNull("no service " + type.getName(), service);
    try {
      return call.apply(service);
    } finally {
      context.ungetService(reference);
    }
  }

  DeviceNode device(String id) {
    return with(DeviceTree.class, tree -> tree.find(id))
        .orElseThrow(() -> new AssertionError("there is no device " + id));
  }

  /** Both devices are active, a job on each ends well, and every command is there. */
  void works() {
    for (String id : List.of("soft0", "sim0")) {
      eventually(
          () -> {
            DeviceNode node = device(id);
            assertEquals(id + ": " + node.error(), DeviceState.ACTIVE, node.state());
            return node;
          });
      JobResult result = eventually(() -> runOn(id));
      assertEquals(null, result.error());
      assertEquals(0, result.exitStatus());
      assertEquals(id, result.device());
      assertEquals(5, result.bytes());
    }
    for (Command command : commands()) {
      eventually(
          () -> {
            assertNotNull(
                "no command " + command.scope() + ":" + command.name(),
                with(
                    SessionFactory.class,
                    s -> s.getRegistry().getCommand(command.scope(), command.name())));
            return command;
          });
    }
  }

  /** Isle's bundles with commands. */
  List<Bundle> faces() {
    return Stream.of(context.getBundles())
        .filter(bundle -> bundle.getSymbolicName().startsWith("io.isle."))
        .filter(bundle -> bundle.getHeaders("").get("Karaf-Commands") != null)
        .toList();
  }

  /** Their commands, from the classes. */
  private List<Command> commands() {
    List<Command> commands = new ArrayList<>();
    for (Bundle bundle : faces()) {
      int before = commands.size();
      for (URL file : Collections.list(bundle.findEntries("/", "*.class", true))) {
        Optional.ofNullable(type(bundle, file).getAnnotation(Command.class))
            .ifPresent(commands::add);
      }
      assertTrue(bundle + " has no command", commands.size() > before);
    }
    return commands;
  }

  private static Class<?> type(Bundle bundle, URL file) {
    String name = file.getPath().replaceAll("^/|\\.class$", "").replace('/', '.');
    try {
      return bundle.loadClass(name);
    } catch (ClassNotFoundException e) {
      throw new AssertionError(name + " of " + bundle, e);
    }
  }

  private JobResult runOn(String device) throws IOException {
    Path folder = Path.of(System.getProperty("karaf.data"), "itests");
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("input"), "hello");
    Path job =
        Files.writeString(
            folder.resolve("job.yml"),
            "job: itests\ndevice: "
                + device
                + "\nsteps:\n  - {program: sha256, in: input, args: [1MiB]}\n");
    JobRequest request = new JobRequest(job, folder, Map.of(), "itests", false);
    return with(Jobs.class, jobs -> jobs.run(request, JobObserver.NONE));
  }

  /** How many threads there are of each name; numbers in names do not count. */
  static Map<String, Integer> threads() {
    Map<String, Integer> names = new TreeMap<>();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      String name = thread.getName().replaceAll("[0-9]+", "N");
      if (!FOREIGN.matcher(name).matches()) {
        names.merge(name, 1, Integer::sum);
      }
    }
    return names;
  }

  /** {@link #threads} once no context listens any more: a notifier ends soon after its context. */
  static Map<String, Integer> settledThreads() {
    return eventually(
        () -> {
          Map<String, Integer> now = threads();
          assertTrue(
              now.toString(), now.keySet().stream().noneMatch(n -> n.startsWith("isle-notifier-")));
          return now;
        });
  }

  /** Those of {@link #threads} that do not end by themselves. */
  static Map<String, Integer> lasting(Map<String, Integer> threads) {
    Map<String, Integer> lasting = new TreeMap<>(threads);
    lasting.keySet().removeIf(name -> IDLE_ENDS.matcher(name).matches());
    return lasting;
  }

  /** Driver hosts below this process, dead ones that nobody waited for included. */
  static List<Long> driverHosts() {
    return ProcessHandle.current()
        .descendants()
        .map(ProcessHandle::pid)
        .filter(Inside::isDriverHost)
        .toList();
  }

  /** Those of devices that depend on the machine do not count. */
  List<Long> driverHostsOfAll() {
    List<Long> others =
        with(DeviceTree.class, DeviceTree::nodes).stream()
            .filter(node -> OF_THE_MACHINE.contains(node.driver()))
            .flatMap(node -> Stream.concat(node.hostPid().stream(), node.standbyPid().stream()))
            .toList();
    return driverHosts().stream().filter(pid -> !others.contains(pid)).toList();
  }

  private static boolean isDriverHost(long pid) {
    try {
      return Files.readString(Path.of("/proc", Long.toString(pid), "comm"))
          .strip()
          .equals("driver-host");
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Fails unless the container is for the next test as it was for this one: no device but its own,
   * no context, no group but the default one, no new error in the log.
   *
   * @param caused parts of the errors that the test causes
   */
  void isAsItWas(String... caused) {
    eventually(
        () -> {
          List<DeviceNode> nodes = with(DeviceTree.class, DeviceTree::nodes);
          assertEquals(
              Set.of("sim0", "soft0"),
              nodes.stream()
                  .filter(node -> !OF_THE_MACHINE.contains(node.driver()))
                  .map(DeviceNode::id)
                  .collect(Collectors.toSet()));
          for (AcceleratorInfo info : with(Accelerators.class, Accelerators::list)) {
            assertEquals(info.toString(), 0, info.contexts());
          }
          List<GroupStatus> groups = with(Groups.class, Groups::list);
          assertEquals(groups.toString(), 1, groups.size());
          return nodes;
        });
    List<String> unexpected = new ArrayList<>(errorsInTheLog());
    unexpected.removeAll(errors);
    unexpected.removeIf(line -> Stream.of(caused).anyMatch(line::contains));
    assertEquals(List.of(), unexpected);
  }

  private static List<String> errorsInTheLog() {
    try (Stream<String> log = Files.lines(Path.of(System.getProperty("karaf.log"), "karaf.log"))) {
      return log.filter(line -> line.contains("| ERROR |")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
