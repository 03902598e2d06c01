package io.isle.core.display.state;

import io.isle.api.device.DisplayMode;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import java.util.Optional;

/** Writes what {@link SnapshotReader} reads. */
final class SnapshotWriter {
  private final DataOutputStream out;

  SnapshotWriter(OutputStream out) {
    this.out = new DataOutputStream(out);
  }

  void write(Snapshot snapshot) throws IOException {
    out.writeLong(SnapshotReader.MAGIC);
    out.writeInt(SnapshotReader.VERSION);
    Lineage lineage = snapshot.lineage();
    out.writeUTF(lineage.framework());
    out.writeLong(lineage.memory());
    out.writeLong(lineage.drivers());
    out.writeLong(lineage.devices());
    out.writeInt(snapshot.generations().length);
    for (int generation : snapshot.generations()) {
      out.writeInt(generation);
    }
    out.writeInt(snapshot.devices().size());
    for (Map.Entry<String, DeviceState> device : snapshot.devices().entrySet()) {
      out.writeUTF(device.getKey());
      device(device.getValue());
    }
    out.flush();
  }

  private void device(DeviceState device) throws IOException {
    out.writeBoolean(device.epoch().isPresent());
    out.writeInt(device.epoch().orElse(0));
    out.writeInt(device.frames().size());
    for (Frame frame : device.frames()) {
      out.writeLong(frame.id());
      out.writeUTF(frame.owner());
      out.writeUTF(frame.tenant());
      out.writeLong(frame.memory());
      out.writeInt(frame.width());
      out.writeInt(frame.height());
      out.writeInt(frame.format().code());
    }
    out.writeInt(device.heads().size());
    for (Map.Entry<Integer, HeadState> head : device.heads().entrySet()) {
      out.writeInt(head.getKey());
      head(head.getValue());
    }
  }

  private void head(HeadState head) throws IOException {
    screen(head.screen());
    out.writeLong(head.asked());
    out.writeLong(head.reached());
    out.writeInt(head.interrupted().size());
    for (long point : head.interrupted()) {
      out.writeLong(point);
    }
    out.writeLong(head.told());
    out.writeLong(head.hotplugsBefore());
    out.writeInt(head.hotplugsTold());
    out.writeBoolean(head.connected().isPresent());
    out.writeBoolean(head.connected().orElse(false));
  }

  private void screen(ScreenState screen) throws IOException {
    out.writeBoolean(screen.mode().isPresent());
    if (screen.mode().isPresent()) {
      mode(screen.mode().get());
    }
    out.writeInt(screen.dpms().ordinal());
    out.writeBoolean(screen.variableRefresh());
    Optional<ScreenState.Cursor> cursor = screen.cursor();
    out.writeBoolean(cursor.isPresent());
    if (cursor.isPresent()) {
      out.writeInt(cursor.get().width());
      out.writeInt(cursor.get().height());
      out.writeInt(cursor.get().x());
      out.writeInt(cursor.get().y());
      for (int pixel : cursor.get().pixels().argb()) {
        out.writeInt(pixel);
      }
    }
    out.writeLong(screen.shown().map(Frame::id).orElse(0L));
  }

  private void mode(DisplayMode mode) throws IOException {
    out.writeInt(mode.width());
    out.writeInt(mode.height());
    out.writeInt(mode.refreshMillihertz());
    out.writeInt(mode.clockKilohertz());
    out.writeInt(mode.hfp());
    out.writeInt(mode.hsw());
    out.writeInt(mode.hbp());
    out.writeInt(mode.vfp());
    out.writeInt(mode.vsw());
    out.writeInt(mode.vbp());
    out.writeBoolean(mode.preferred());
  }
}
