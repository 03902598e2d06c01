package io.isle.faces.shell.job;

import io.isle.api.jobs.Jobs;
import io.isle.faces.shell.IdCompleter;
import io.isle.faces.shell.Services;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** Completes ids of jobs. */
@Service
public final class JobCompleter extends IdCompleter {
  @Override
  protected List<String> ids(Services services) {
    return services.ifThere(Jobs.class, jobs -> Rows.ids(jobs.list())).orElse(List.of());
  }
}
