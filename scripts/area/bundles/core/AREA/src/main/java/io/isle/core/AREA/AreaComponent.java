package io.isle.core.AREA;

import io.isle.api.AREA.Area;
import io.isle.api.AREA.AreaException;
import io.isle.api.base.Errno;
import io.isle.api.base.ForeignText;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Modified;

/** Offers {@link Area}. Settings act on the notes that are kept. */
@Component(configurationPid = AreaSettings.PID, immediate = true)
public final class AreaComponent implements Area {
  private static final System.Logger LOG = System.getLogger(AreaComponent.class.getName());

  private final Deque<Note> notes = new ArrayDeque<>();
  private AreaSettings settings;
  private long last;

  @Activate
  public AreaComponent(Map<String, Object> properties) {
    settings = AreaSettings.defaults().change(properties, AreaComponent::refused);
  }

  @Modified
  synchronized void modified(Map<String, Object> properties) {
    settings = settings.change(properties, AreaComponent::refused);
    trim();
  }

  @Override
  public synchronized List<Note> notes() {
    return List.copyOf(notes);
  }

  @Override
  public synchronized Note add(String text) {
    if (text.isBlank() || text.length() > MAX_TEXT) {
      throw new AreaException(Errno.EINVAL, "a note has 1 to " + MAX_TEXT + " characters");
    }
    Note note = new Note(++last, ForeignText.line(text));
    notes.add(note);
    trim();
    return note;
  }

  private void trim() {
    while (notes.size() > settings.capacity()) {
      notes.remove();
    }
  }

  private static void refused(String why) {
    LOG.log(System.Logger.Level.WARNING, "{0}: {1}", AreaSettings.PID, why);
  }
}
