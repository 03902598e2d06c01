package io.isle.faces.shell.spin;

import io.isle.api.spin.RulesetPreset;
import io.isle.faces.shell.IdCompleter;
import io.isle.faces.shell.Services;
import java.util.Arrays;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** Completes names of rulesets. */
@Service
public final class RulesCompleter extends IdCompleter {
  @Override
  protected List<String> ids(Services services) {
    return Arrays.stream(RulesetPreset.values()).map(RulesetPreset::text).toList();
  }
}
