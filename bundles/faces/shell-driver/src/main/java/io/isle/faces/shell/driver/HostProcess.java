package io.isle.faces.shell.driver;

import io.isle.faces.shell.ShellException;
import java.io.IOException;

/** The process of a driver, as far as an administrator harms it on purpose. */
interface HostProcess {
  /** Processes of this machine. */
  HostProcess SYSTEM =
      new HostProcess() {
        @Override
        public void kill(long pid) {
          child(pid).destroyForcibly();
        }

        @Override
        public void stop(long pid) {
          try {
            // The shell's own kill: no Java call sends this signal.
            Process shell =
                new ProcessBuilder("/bin/sh", "-c", "kill -STOP " + child(pid).pid()).start();
            if (shell.waitFor() != 0) {
              throw ShellException.failed("process " + pid + " could not be stopped");
            }
          } catch (IOException e) {
            throw ShellException.failed("process " + pid + " could not be stopped: " + e);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ShellException.failed("interrupted");
          }
        }

        /** Only the platform's own children: the id may belong to another process by now. */
        private ProcessHandle child(long pid) {
          return ProcessHandle.current()
              .children()
              .filter(process -> process.pid() == pid)
              .findFirst()
              .orElseThrow(
                  () -> ShellException.failed("process " + pid + " of the driver is gone already"));
        }
      };

  /** Kills it. */
  void kill(long pid);

  /** Stops it without ending it. */
  void stop(long pid);
}
