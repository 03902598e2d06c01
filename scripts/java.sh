# Finding the tools: a JDK 25 although another java is first, Maven, a C compiler and make.

# The major version of the JDK in that folder; empty if there is none.
jdk_major() {
  [ -x "$1/bin/javac" ] && [ -r "$1/release" ] || return 0
  sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release"
}

find_jdk() {
  path_java=$(command -v java 2>/dev/null) && path_java=$(readlink -f "$path_java")
  path_home=${path_java%/bin/java}
  for home in "${ISLE_JAVA_HOME:-}" "${JAVA_HOME:-}" "$path_home" /usr/lib/jvm/* /opt/jdk* /opt/java/*; do
    [ -n "$home" ] || continue
    major=$(jdk_major "$home")
    if [ "${major:-0}" -ge 25 ]; then
      JAVA_HOME=$home
      export JAVA_HOME
      JAVA=$home/bin/java
      return 0
    fi
  done
  return 1
}

JDK_HINT='install a JDK 25: apt-get install temurin-25-jdk (from https://packages.adoptium.net), or unpack a JDK and set ISLE_JAVA_HOME'

need_jdk() { find_jdk || die 3 "no JDK 25 found; $JDK_HINT"; }

# need COMMAND PACKAGE
need() {
  command -v "$1" >/dev/null 2>&1 || die 3 "$1 is missing; install it: apt-get install $2"
}

need_build_tools() {
  need_jdk
  need mvn maven
  need make make
  need cc gcc
}
