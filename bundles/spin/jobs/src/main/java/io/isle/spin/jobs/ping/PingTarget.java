package io.isle.spin.jobs.ping;

import io.isle.api.base.Errno;
import io.isle.api.jobs.ActionStep;
import io.isle.api.jobs.JobException;
import io.isle.api.spin.ContextInfo;
import io.isle.api.spin.ContextSpec;
import io.isle.api.spin.ContextState;
import io.isle.api.spin.ExecutionContext;
import io.isle.api.spin.HandlerImage;
import io.isle.api.spin.HostReply;
import io.isle.api.spin.Nic;
import io.isle.lib.net.ping.PingClient;
import io.isle.spin.jobs.ping.place.Closings;
import io.isle.spin.jobs.ping.place.PingPlace;
import io.isle.spin.jobs.ping.place.PingProtocol;
import io.isle.spin.jobs.ping.place.PingServices;
import java.io.IOException;
import java.util.Optional;

/** What answers requests of a protocol in a mode. */
final class PingTarget implements AutoCloseable {
  private final Closings closings = new Closings();
  private final PingPlace place;
  private final PingProtocol protocol;
  private final PingMode mode;
  private Optional<ExecutionContext> context = Optional.empty();

  private PingTarget(PingPlace place, PingProtocol protocol, PingMode mode) {
    this.place = place;
    this.protocol = protocol;
    this.mode = mode;
  }

  /** Attaches handlers where the mode has some. */
  static PingTarget open(
      PingServices services, ActionStep step, PingPlace place, PingProtocol protocol, PingMode mode)
      throws IOException, InterruptedException {
    PingTarget target = new PingTarget(place, protocol, mode);
    if (mode != PingMode.HOST) {
      HandlerImage image = PingHandlers.build(services, protocol, mode);
      Nic nic =
          services
              .nics()
              .find(place.nic())
              .orElseThrow(
                  () -> JobException.failed(Errno.ECLOSED, "the interface has ended", null));
      ContextSpec spec =
          ContextSpec.of(place.nic(), image)
              .withRules(protocol.rules())
              .withHostReply(HostReply.NONE);
      target.attached(nic.attach(step.capability(), spec));
    }
    return target;
  }

  private void attached(ExecutionContext made) {
    context = Optional.of(made);
    HostAnswers answers = new HostAnswers(made, protocol, place.nic());
    closings.add(answers::close);
    closings.add(made::close);
    if (mode == PingMode.BOTH) {
      try {
        answers.begin();
      } catch (RuntimeException e) {
        try (closings) {
          throw e;
        }
      }
    }
  }

  PingProtocol protocol() {
    return protocol;
  }

  PingMode mode() {
    return mode;
  }

  PingClient client(int most) {
    return place.client(protocol, mode == PingMode.HOST, most);
  }

  /** Why handlers do not answer, as far as it is known. */
  String reason() {
    if (context.isEmpty()) {
      return "";
    }
    ContextInfo info = context.get().info();
    String state =
        info.state() == ContextState.ATTACHED ? "" : "; handlers: " + info.state().text();
    return state
        + (info.reason().isEmpty() ? "" : ", " + info.reason())
        + context
            .get()
            .trap()
            .map(trap -> "; the newest trap of a handler: " + trap.cause())
            .orElse("");
  }

  @Override
  public void close() {
    closings.close();
  }
}
