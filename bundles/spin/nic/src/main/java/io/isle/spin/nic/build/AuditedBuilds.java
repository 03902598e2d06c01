package io.isle.spin.nic.build;

import io.isle.api.base.Errno;
import io.isle.api.base.ForeignText;
import io.isle.api.base.IsleException;
import io.isle.api.observe.Actor;
import io.isle.api.observe.AuditEvent;
import io.isle.api.observe.AuditTrail;
import io.isle.api.spin.BuildSpec;
import io.isle.api.spin.HandlerBuild;
import io.isle.api.spin.HandlerBuilds;
import io.isle.api.spin.HandlerImage;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.stream.Collectors;

/** Records each build: by whom, of which files, and the hash of the image or what went wrong. */
final class AuditedBuilds implements HandlerBuilds {
  private final HandlerBuilds builds;
  private final AuditTrail trail;

  AuditedBuilds(HandlerBuilds builds, AuditTrail trail) {
    this.builds = builds;
    this.trail = trail;
  }

  @Override
  public HandlerBuild build(String name, BuildSpec spec) throws InterruptedException {
    AuditEvent event = AuditEvent.of(Actor.current(), "spin.build").object(files(spec));
    HandlerBuild build;
    try {
      build = builds.build(name, spec);
    } catch (IsleException e) {
      trail.record(event.failed(e.code(), ForeignText.line(String.valueOf(e.getMessage()))));
      throw e;
    } catch (InterruptedException e) {
      trail.record(event.failed(Errno.ECANCELED, "interrupted while the compiler ran"));
      throw e;
    } catch (RuntimeException e) {
      trail.record(event.failed(Errno.EIO, ForeignText.line(e.toString())));
      throw e;
    }
    trail.record(
        build.image().isPresent()
            ? event.detail(detail(build.image().get(), build.cached()))
            : event.failed(Errno.EINVAL, "the compiler refuses the sources"));
    return build;
  }

  private static String files(BuildSpec spec) {
    return ForeignText.line(
        spec.sources().stream().map(Path::toString).collect(Collectors.joining(" ")));
  }

  private static String detail(HandlerImage image, boolean cached) {
    return "sha256 "
        + sha256(image.bytes())
        + ", "
        + image.size()
        + " bytes"
        + (cached ? ", built before" : "");
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
