package io.isle.spin.nic.manage;

import io.isle.api.spin.HandlerImage;
import io.isle.api.spin.HandlerSource;
import io.isle.spin.nic.live.LiveContext;
import io.isle.spin.nic.live.LiveNic;
import io.isle.spin.nic.live.NicThread;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** What becomes of contexts when bundles with handlers come, or are refused. Thread-safe. */
public final class HandlerUpdates {
  private static final System.Logger LOG = System.getLogger(HandlerUpdates.class.getName());

  private final NicThread thread;
  private final Map<String, LiveNic> nics;
  private final SettingsBook book;
  private final HandlerRegistry handlers;

  HandlerUpdates(
      NicThread thread, Map<String, LiveNic> nics, SettingsBook book, HandlerRegistry handlers) {
    this.thread = thread;
    this.nics = nics;
    this.book = book;
    this.handlers = handlers;
  }

  /** A bundle has come with these handlers: contexts that use their name get them. */
  public void came(String name) {
    thread.post(
        () -> {
          for (LiveNic nic : nics.values()) {
            nic.contexts().forEach(context -> renew(context, name));
          }
          book.again();
        });
  }

  private void renew(LiveContext context, String name) {
    HandlerSource source = context.spec().handlers();
    if (source instanceof HandlerSource.Installed && source.name().equals(name)) {
      handlers
          .find(name)
          .ifPresent(image -> context.nic().swap(context, image, logged(context.name())));
    }
  }

  /** The end of an exchange of handlers; if the old ones stay, the log says why. */
  static CompletableFuture<Boolean> logged(String context) {
    CompletableFuture<Boolean> over = new CompletableFuture<>();
    var ignored =
        over.whenComplete(
            (done, why) -> {
              if (why != null) {
                LOG.log(
                    System.Logger.Level.WARNING,
                    "context {0}: {1}; the old handlers stay",
                    context,
                    why.getMessage());
              }
            });
    return over;
  }

  /** A bundle may not bring these handlers any more: contexts that have or get them do not. */
  public void refused(List<HandlerImage> images, String why) {
    thread.post(
        () -> {
          String reason = "its handlers are refused: " + why;
          for (LiveNic nic : nics.values()) {
            nic.refuse(images, reason);
            nic.contexts().stream()
                .filter(context -> images.stream().anyMatch(context.image()::isOf))
                .forEach(context -> withdraw(context, reason));
          }
        });
  }

  private void withdraw(LiveContext context, String reason) {
    book.find(context.name())
        .filter(configured -> configured.runs(context))
        .ifPresentOrElse(
            configured -> configured.withdraw(reason), () -> context.nic().detach(context, reason));
  }
}
