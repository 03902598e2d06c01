package io.isle.itests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

/** A user of each role at the shared instance's ssh console, while this is open. */
final class SshUsers implements AutoCloseable {
  static final List<String> ROLES = List.of("viewer", "manager", "admin");

  /** Of all of them. */
  static final String PASSWORD = UUID.randomUUID().toString();

  private static final Path USERS = Platform.folder().resolve("etc/users.properties");
  private static final Path KEYS = Platform.folder().resolve("etc/keys.properties");

  private final String users = Files.readString(USERS);
  private final String keys = Files.readString(KEYS);

  /** Adds them, and {@code local}, who has every role but that for ssh. */
  SshUsers() throws IOException {
    StringBuilder added = new StringBuilder(users).append('\n');
    for (int i = 0; i < ROLES.size(); i++) {
      String roles = String.join(",", ROLES.subList(0, i + 1));
      added.append(ROLES.get(i)).append(" = ").append(PASSWORD).append(',').append(roles);
      added.append(",ssh\n");
    }
    added.append("local = ").append(PASSWORD).append(",viewer,manager,admin\n");
    Files.writeString(USERS, added);
  }

  /** Lets the viewer in with this key, too, given as in a {@code .pub} file. */
  void addViewersKey(String publicKey) throws IOException {
    Files.writeString(KEYS, keys + "\nviewer = " + publicKey.split(" ")[1] + ",viewer,ssh\n");
  }

  /** Where the console listens. */
  static int port() throws IOException {
    return Platform.isle("status", "--json").succeeded().json().get("ssh_port").asInt();
  }

  @Override
  public void close() throws IOException {
    Files.writeString(USERS, users);
    Files.writeString(KEYS, keys);
  }
}
