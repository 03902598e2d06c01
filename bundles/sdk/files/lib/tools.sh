# Parts of the SDK's tools, sourced by them; ISLE_SDK is the SDK's folder.

note() { printf 'isle: %s\n' "$*" >&2; }
die() { code=$1; shift; note "$*"; exit "$code"; }

# shellcheck source=/dev/null
. "$ISLE_SDK/lib/java.sh"

# run_tool CLASS ARGS...
run_tool() {
  need_jdk
  # shellcheck disable=SC2086
  exec "$JAVA" --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
    "-Disle.native.dir=$ISLE_SDK/lib/bin" ${ISLE_JAVA_OPTS:-} -classpath "$ISLE_SDK/lib/*" "$@"
}
