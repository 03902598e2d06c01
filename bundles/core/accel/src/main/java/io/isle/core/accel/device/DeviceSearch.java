package io.isle.core.accel.device;

import io.isle.api.accel.AcceleratorInfo;
import io.isle.api.accel.DeviceQuery;
import io.isle.api.accel.ProgramKind;
import io.isle.api.base.ForeignText;
import io.isle.api.device.DeviceNode;
import io.isle.api.device.DeviceState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Which device a query finds, and why the others are not it. Pure functions. */
public final class DeviceSearch {
  /**
   * A device that is open or was.
   *
   * @param open false while it recovers
   * @param barred groups of the query's that may not use it
   */
  public record Candidate(AcceleratorInfo info, boolean open, List<String> barred) {}

  private DeviceSearch() {}

  /** The one that fits best: fewest contexts, then the order of the list. */
  public static Optional<AcceleratorInfo> best(DeviceQuery query, List<Candidate> all) {
    return all.stream()
        .filter(candidate -> misfit(query, candidate).isEmpty())
        .map(Candidate::info)
        .min(Comparator.comparingInt(AcceleratorInfo::contexts));
  }

  /** Whether one that recovers will fit. */
  public static boolean mayCome(DeviceQuery query, List<Candidate> all) {
    return all.stream()
        .map(known -> new Candidate(known.info(), true, known.barred()))
        .anyMatch(known -> misfit(query, known).isEmpty());
  }

  /**
   * Why none was found, device by device.
   *
   * @param nodes all devices of the node, also those that are not open
   */
  public static String why(DeviceQuery query, List<Candidate> all, List<DeviceNode> nodes) {
    List<String> reasons = new ArrayList<>();
    for (Candidate candidate : all) {
      if (concerns(query, candidate.info().id())) {
        misfit(query, candidate)
            .ifPresent(reason -> reasons.add(candidate.info().id() + " " + reason));
      }
    }
    for (DeviceNode node : nodes) {
      if (concerns(query, node.id())
          && all.stream().noneMatch(known -> known.info().id().equals(node.id()))) {
        reasons.add(notOpen(node));
      }
    }
    if (reasons.isEmpty()) {
      String ids = join(Stream.concat(ids(all), nodes.stream().map(DeviceNode::id)).distinct());
      reasons.add(
          ids.isEmpty() ? "this node has no devices; see device:list" : "the devices are " + ids);
    }
    return "no device fits " + text(query) + ": " + String.join("; ", reasons);
  }

  private static boolean concerns(DeviceQuery query, String id) {
    return query.id().isEmpty() || query.id().get().equals(id);
  }

  private static Stream<String> ids(List<Candidate> all) {
    return all.stream().map(candidate -> candidate.info().id());
  }

  private static String notOpen(DeviceNode node) {
    return node.id()
        + " is "
        + (node.state() == DeviceState.ACTIVE ? "not open yet" : node.state().text())
        + (node.error().isEmpty() ? "" : " (" + ForeignText.line(node.error()) + ")")
        + (node.state() == DeviceState.FAILED ? ", run driver:reload " + node.id() : "");
  }

  private static Optional<String> misfit(DeviceQuery query, Candidate candidate) {
    AcceleratorInfo info = candidate.info();
    if (query.id().filter(id -> !id.equals(info.id())).isPresent()) {
      return Optional.of("has another id");
    }
    if (query.deviceClass().filter(wanted -> wanted != info.deviceClass()).isPresent()) {
      return Optional.of("is of class " + info.deviceClass().text());
    }
    List<ProgramKind> kinds = missing(query.kinds(), info.programKinds());
    if (!kinds.isEmpty()) {
      return Optional.of(
          "accepts no "
              + kinds(kinds)
              + " programs (accepted: "
              + kinds(info.programKinds())
              + ")");
    }
    if (query.id().isEmpty()
        && query.kinds().isEmpty()
        && info.programKinds().equals(List.of(ProgramKind.HANDLERS))) {
      return Optional.of("runs handlers of packets only");
    }
    List<String> builtins = missing(query.builtins(), info.builtins());
    if (!builtins.isEmpty()) {
      return Optional.of(
          "lacks program "
              + join(builtins.stream().sorted())
              + " (its programs: "
              + orNone(join(info.builtins().stream()))
              + ")");
    }
    long free = Math.max(0, info.memoryBytes() - info.memoryUsedBytes());
    if (free < query.minMemoryBytes()) {
      return Optional.of("has " + free + " bytes of memory free");
    }
    if (query.id().isPresent()) {
      return Optional.empty();
    }
    if (!candidate.barred().isEmpty()) {
      return Optional.of("is closed to group " + join(candidate.barred().stream()));
    }
    if (info.contexts() >= info.maxContexts()) {
      return Optional.of("has all of its " + info.maxContexts() + " contexts in use");
    }
    return candidate.open() ? Optional.empty() : Optional.of("recovers");
  }

  private static <T> List<T> missing(Collection<T> wanted, Collection<T> there) {
    return wanted.stream().filter(one -> !there.contains(one)).toList();
  }

  private static String kinds(Collection<ProgramKind> kinds) {
    return orNone(join(kinds.stream().sorted().map(ProgramKind::text)));
  }

  private static String join(Stream<String> parts) {
    return String.join(", ", parts.toList());
  }

  private static String orNone(String text) {
    return text.isEmpty() ? "none" : text;
  }

  private static String text(DeviceQuery query) {
    List<String> parts = new ArrayList<>();
    query.id().ifPresent(id -> parts.add("id " + id));
    query.deviceClass().ifPresent(wanted -> parts.add("class " + wanted.text()));
    query.kinds().stream().sorted().forEach(kind -> parts.add(kind.text() + " programs"));
    query.builtins().stream().sorted().forEach(name -> parts.add("program " + name));
    query.groups().stream().sorted().forEach(name -> parts.add("group " + name));
    if (query.minMemoryBytes() > 0) {
      parts.add(query.minMemoryBytes() + " bytes of free memory");
    }
    return parts.isEmpty() ? "a query without conditions" : String.join(", ", parts);
  }
}
