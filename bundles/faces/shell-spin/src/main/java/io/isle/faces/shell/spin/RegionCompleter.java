package io.isle.faces.shell.spin;

import io.isle.api.spin.MemoryRegion;
import io.isle.faces.shell.IdCompleter;
import io.isle.faces.shell.Services;
import java.util.Arrays;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** Completes regions of memory. */
@Service
public final class RegionCompleter extends IdCompleter {
  @Override
  protected List<String> ids(Services services) {
    return Arrays.stream(MemoryRegion.values()).map(region -> region.text() + ":").toList();
  }
}
