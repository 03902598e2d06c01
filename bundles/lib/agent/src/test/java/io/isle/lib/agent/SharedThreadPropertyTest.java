package io.isle.lib.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.isle.api.base.MonotonicClock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;

/** Whatever runs where, each agent does all that it was given before it stops. */
class SharedThreadPropertyTest {
  private static final int AGENTS = 4;

  /**
   * @param agent whom it is about
   * @param thread where it is to run from now on; 3: on its own
   * @param idle what it does without work from now on
   * @param given what it is given meanwhile
   */
  record Step(int agent, int thread, IdleMode idle, int given) {}

  @Property(tries = 60)
  void nothingThatWasGivenIsLost(@ForAll @Size(max = 60) List<@From("steps") Step> steps) {
    List<Parcels> agents = new ArrayList<>();
    List<AgentHost.Placement> placements = new ArrayList<>();
    Map<String, AgentChoice> choices = new HashMap<>();
    try (ThreadedAgentHost host = new ThreadedAgentHost(1, MonotonicClock.SYSTEM)) {
      for (int i = 0; i < AGENTS; i++) {
        Parcels agent = new Parcels("agent" + i);
        agents.add(agent);
        placements.add(host.start(agent, agent.bells));
      }
      for (Step step : steps) {
        Parcels agent = agents.get(step.agent());
        Optional<String> thread =
            step.thread() == 3 ? Optional.empty() : Optional.of("t" + step.thread());
        choices.put(agent.name(), new AgentChoice(thread, Set.of(), step.idle(), 20_000_000));
        Map<String, AgentChoice> now = Map.copyOf(choices);
        host.choose(name -> now.getOrDefault(name, AgentChoice.DEFAULT));
        for (int i = 0; i < step.given(); i++) {
          agent.give();
        }
      }
      for (Parcels agent : agents) {
        Waiting.until(() -> agent.taken.get() == agent.given.get());
      }
      placements.forEach(AgentHost.Placement::close);
      for (Parcels agent : agents) {
        assertFalse(agent.wentWrong, "one thread at a time, which it was told");
        assertNull(agent.failure.get());
        assertEquals(0, agent.stopped.getCount());
      }
      assertEquals(1, host.spare());
    }
  }

  @Provide
  Arbitrary<Step> steps() {
    return Combinators.combine(
            Arbitraries.integers().between(0, AGENTS - 1),
            Arbitraries.integers().between(0, 3),
            Arbitraries.of(IdleMode.class),
            Arbitraries.integers().between(0, 20))
        .as(Step::new);
  }
}
