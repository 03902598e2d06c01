package io.isle.spin.jobs;

import io.isle.api.base.Errno;
import io.isle.api.jobs.ActionMistake;
import io.isle.api.jobs.ActionStep;
import io.isle.api.jobs.ActionValues;
import io.isle.api.jobs.JobException;
import io.isle.api.spin.BuildSpec;
import io.isle.api.spin.ContextSpec;
import io.isle.api.spin.HandlerBuild;
import io.isle.api.spin.HandlerBuilds;
import io.isle.api.spin.HandlerImage;
import io.isle.api.spin.HandlerSource;
import io.isle.api.spin.HostReply;
import io.isle.api.spin.Ruleset;
import io.isle.api.spin.Rulesets;
import io.isle.api.spin.SpinException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Makes what a run is started with from the parameters of a step. */
final class StepSpec {
  private static final String SOURCE = ".c";

  /** All handler memory of the FPGA. */
  private static final int HANDLER_MEMORY = 1 << 20;

  private StepSpec() {}

  static Optional<ActionMistake> mistake(ActionValues values) {
    boolean file = values.has(SpinAction.HANDLERS);
    if (file == values.has(SpinAction.INSTALLED)) {
      return Optional.of(
          new ActionMistake(
              SpinAction.HANDLERS,
              "either a file, or with 'installed' the handlers of a bundle are needed"));
    }
    String cflags = values.text(SpinAction.CFLAGS);
    if (!cflags.isEmpty() && !(file && values.text(SpinAction.HANDLERS).endsWith(SOURCE))) {
      return Optional.of(new ActionMistake(SpinAction.CFLAGS, "goes with a file in C"));
    }
    try {
      for (String option : SpinAction.words(cflags)) {
        BuildSpec ignored = new BuildSpec(List.of(Path.of("/")), List.of(option));
      }
    } catch (SpinException e) {
      return Optional.of(new ActionMistake(SpinAction.CFLAGS, e.getMessage()));
    }
    try {
      Optional<Ruleset> ignored = rules(values);
    } catch (SpinException e) {
      return Optional.of(new ActionMistake(SpinAction.RULES, e.getMessage()));
    }
    return Optional.empty();
  }

  private static Optional<Ruleset> rules(ActionValues values) {
    String text = values.text(SpinAction.RULES);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    List<Ruleset> all = Rulesets.parse(text).all();
    if (all.size() > 1) {
      throw new SpinException(Errno.EINVAL, all.size() + " rulesets; handlers have one");
    }
    return Optional.of(all.getFirst());
  }

  /** The context of a step. */
  static ContextSpec of(ActionStep step, HandlerBuilds builds)
      throws IOException, InterruptedException {
    ActionValues values = step.values();
    ContextSpec spec =
        ContextSpec.of("spin-step", source(step, builds))
            .withHandlerMemory(HANDLER_MEMORY)
            .withHostPages((int) values.whole(SpinAction.HOST_PAGES))
            .withHostReply(
                HostReply.valueOf(values.text(SpinAction.HOST_REPLY).toUpperCase(Locale.ROOT)));
    Optional<Ruleset> rules = rules(values);
    spec = rules.isPresent() ? spec.withRules(rules.get()) : spec;
    return values.has(SpinAction.INIT)
        ? spec.withInit(bytes(step, SpinAction.INIT, HANDLER_MEMORY))
        : spec;
  }

  private static HandlerSource source(ActionStep step, HandlerBuilds builds)
      throws IOException, InterruptedException {
    ActionValues values = step.values();
    if (values.has(SpinAction.INSTALLED)) {
      return new HandlerSource.Installed(values.text(SpinAction.INSTALLED));
    }
    Path file = values.path(SpinAction.HANDLERS);
    String name = name(file);
    if (!file.toString().endsWith(SOURCE)) {
      return new HandlerImage(
          name, bytes(step, SpinAction.HANDLERS, HandlerImage.MAX_BYTES), Optional.empty());
    }
    List<String> options = SpinAction.words(values.text(SpinAction.CFLAGS));
    HandlerBuild build = builds.build(name, new BuildSpec(List.of(file), options));
    build.messages().lines().forEach(step::print);
    return build
        .image()
        .orElseThrow(
            () -> JobException.failed(Errno.EINVAL, file + " is refused by the compiler", null));
  }

  private static String name(Path file) {
    String name = String.valueOf(file.getFileName()).replaceAll("[^ -~]", "?");
    int dot = name.lastIndexOf('.');
    int end = Math.min(dot > 0 ? dot : name.length(), HandlerImage.MAX_NAME);
    return name.substring(0, end);
  }

  /** One more byte than possible of a longer file, which is refused then. */
  private static byte[] bytes(ActionStep step, String parameter, int most)
      throws IOException, InterruptedException {
    try (InputStream stream = step.read(parameter)) {
      return stream.readNBytes(most + 1);
    }
  }
}
